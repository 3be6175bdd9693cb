# Profiles that cannot be used as they are: damaged stores, a full disk, binaries that have changed, are gone or have no
# debugging information, and procedures that exist in parts alone. Each message names what was found and what to do.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
collect() { pcemu --core inorder --no-program --max-insts 60k --profile oracle,counts,tip:period=101,counter:event=cycles:period=101 "$@" > out 2> err || cat err; }
ids() { sed 's/[0-9a-f]\{40\}/(an identity)/g'; }
collect --collect s.db:a -o 1.txt ./sort
pcprof prof s.db > profile
# Procedures that the compiler has split or cloned, and a wrong name.
for command in annotate calc summary cfg; do
    try pcprof $command s.db ptmalloc_init
    try pcprof $command s.db mian
done
# No debugging information: line numbers, then symbols.
riscv64-linux-gnu-objcopy --strip-debug sort plain
riscv64-linux-gnu-objcopy --strip-all sort stripped
collect --collect plain.db -o 2.txt ./plain
collect --collect stripped.db -o 3.txt ./stripped
for name in plain stripped; do
    pcprof prof --top 1 --width 200 $name.db | sed -n '/^Procedures/,$p'
    pcprof prof --by line --width 200 $name.db | sed -n '/^Lines/,$p'
    try pcprof report -o $name.html $name.db
    for format in perf pprof callgrind autofdo-clang autofdo-gcc; do
        try pcprof export --to $format -o profile.out $name.db
    done
done
try pcprof annotate --width 200 plain.db main | sed -n '/^Lines/,$p'
try pcprof annotate stripped.db
pcprof calc --width 200 plain.db main | tail -n 2
pcprof calc stripped.db 0x105ae --width 200 | grep -e '^procedure' -e -g
# A binary that has changed since, with and without a build ID: the profile is that of the old one.
riscv64-linux-gnu-objcopy --remove-section .note.gnu.build-id sort none && cp none kept
collect --collect none.db -o 4.txt ./none
printf x >> none
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -Wl,--build-id=sha1 -o new -x c - << 'END' && mv new sort
int main(void) { return 0; }
END
for name in s none; do
    for command in annotate calc; do
        pcprof $command $name.db main | tr '\n' ' ' | grep -o '[a-z]*: [./a-z]* is not the file .*' | ids
    done
    try pcprof report -o $name.html $name.db 2>&1 | ids
    try pcprof export --to perf -o profile.out $name.db 2>&1 | ids
    try pcprof export --to callgrind -o profile.out $name.db 2>&1 | ids
done
pcprof prof s.db | cmp - profile && echo 'the same profile'
mv kept none && try pcprof report -o none.html none.db
# A binary that is gone.
rm sort
pcprof annotate s.db main | grep 'not the file'
try pcprof report -o s.html s.db
try pcprof export --to perf -o profile.out s.db
# A full disk, here a limit of file sizes: outputs, and a store that another one is merged into, remain as they were.
pcprof merge full.db s.db && pcprof prof full.db > before && echo old > profile.out
(ulimit -f 100; try pcprof merge full.db s.db plain.db 2>&1 | sed 's/disk I\/O error/File too large/')
(ulimit -f 66; try pcprof report -o profile.out s.db; try pcprof export --to callgrind --event all -o profile.out s.db) 2>&1 | cat
cat profile.out && pcprof prof full.db | cmp - before && sqlite3 full.db 'PRAGMA integrity_check'
# Damage: a file that was cut off, and pages overwritten in the header, in the schema and behind it. Whatever command
# reads the damage says so in a line; a command that does not need it works.
pages=$(sqlite3 s.db 'PRAGMA page_count')
damage() { # damage PAGE: with one page of zeros, none for the file's second half
    cp s.db damaged.db
    if [ "$1" = half ]; then truncate -s $((pages / 2 * 4096)) damaged.db
    else dd if=/dev/zero of=damaged.db bs=4096 seek="$1" count=1 conv=notrunc 2> dd.log; fi
}
for page in half 0 1 2; do
    damage $page
    try pcprof prof damaged.db
    try pcprof calc -o calc damaged.db main
done 2>&1 | sed 's/page [0-9]*/page N/g; s/cell [0-9]*/cell N/g'
page=0
while [ $page -lt "$pages" ]; do
    damage $page
    for command in list prof annotate 'show damaged.db:1' 'export --to pprof' 'calc damaged.db main' 'merge merged.db damaged.db'; do
        # shellcheck disable=SC2086 # words
        case $command in *damaged*) set -- $command ;; *) set -- $command damaged.db ;; esac
        status=0
        rm -f merged.db
        pcprof "$@" > damaged.out 2> err || status=$?
        case $status in 0) ! grep -v '^pcprof: warning: ' err ;; 2) [ "$(wc -l < err)" = 1 ] ;; *) false ;; esac ||
            echo "page $page: $command: exit status $status: $(cat err)"
    done
    page=$((page + 1 + pages / 10))
done
