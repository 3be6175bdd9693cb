# A profile store: runs of several kinds are collected, listed, summed and shown again; errors come before the run.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/invariant" .
pcasm "$programs/edge.pasm" -o edge.pc
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
collect() { pcemu --max-insts 60k "$@" ./invariant > out 2> err || cat err; }
collect --no-program --profile oracle,tip:period=101,nci:period=101,counts,profileme:period=50,paths --seed 1 --collect s.db:ooo -o 1.txt
collect --no-program --profile oracle,tip:period=101,counts,profileme:period=70 --seed 2 --collect s.db:ooo -o 2.txt
collect --program edge.pc --collect s.db:program -o 3.txt
collect --core inorder --no-program --profile oracle,counter:event=dcache-miss:period=10 --collect s.db:inorder -o 4.txt
collect --no-program --record run.rec
try pcemu --core replay:run.rec --profile oracle,tip:period=101 --collect s.db:replay -o 5.txt
collect --no-program --collect s.db:daily -o 8.txt
# A run that is ended by a signal is there too.
printf '#include <unistd.h>\nint main(void) { for (write(1, "!\\n", 2);;) ; }\n' > forever.c
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o forever forever.c && mkfifo ready
for signal in TERM INT; do # a shell lets its background jobs ignore SIGINT
    env --default-signal pcemu --no-program --profile oracle,tip --collect ended.db -o 7.txt ./forever > ready 2> err &
    read -r line < ready && kill -s $signal "$!" && wait "$!" || echo "$line $?: $(cat err)"
done
pcprof list --format json ended.db | jq -c '.runs[] | [.run, .epoch, .partial, .cycles > 0]'
# A store that is spoilt during the run: the run goes to another one, which can be merged.
printf '#include <stdio.h>\nint main(void) { FILE *f = fopen("spoilt.db", "w"); return fputs("no database\\n", f) < 0 || fclose(f); }\n' > spoil.c
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o spoil spoil.c
try pcemu --no-program --collect spoilt.db:kept -o 6.txt ./spoil
rm spoilt.db && pcprof merge spoilt.db spoilt.db.rescued && pcprof list --format json spoilt.db | jq -c '.runs[] | [.run, .epoch, .command]'
# A run is stored before its report, which cannot be written here.
try pcemu --no-program --max-insts 1k --collect full.db -o /dev/full ./invariant
pcprof list --format json full.db | jq '.runs | length'
# A limit of file sizes lets neither the store nor another one have a run: what was there is.
# SQLite tells the system's reason, or only that there was an error.
(ulimit -f 100; try pcemu --no-program --profile oracle,counts --max-insts 60k --collect full.db -o 9.txt ./invariant 2>&1 | sed 's/disk I\/O error/File too large/')
pcprof list --format json full.db | jq '.runs | length'
# The guest is gone: the store has what it needs.
mv invariant gone
pcprof list s.db | sed "s/[0-9a-f]\{40\}/(forty hexadecimal digits, which depend on the folder)/"
pcprof list --format csv s.db:ooo | head -n 3
pcprof list --format json s.db:2-3 | jq -c '.runs[] | [.run, .epoch, .program, .partial, .command]'
for run in 1 2 3 4 5; do pcprof show --top 30 s.db:$run | cmp - $run.txt && echo "run $run: the report that pcemu printed"; done
pcprof prof --top 4 s.db:ooo
pcprof prof --top 3 --event cycles@nci:period=101 --event cycles@tip:period=101 --event retired s.db:1
# A profiler without its options; an event whose profiler has others in each run.
pcprof prof --event cycles@nci --event retired s.db:1 | sed -n '/^event/,/^$/p'
pcprof prof --event cycles@tip --event retired s.db:1,2 | sed -n '/^event/,/^$/p'
pcprof prof --top 3 --by line --event dcache-miss s.db:inorder
pcprof prof --top 3 --by instruction s.db:replay
pcprof prof --by image --event branches.taken --event branches.untaken s.db:program
pcprof prof --format json --event retired s.db:1-2 | jq -c '.events[0] | .estimate |= round | .error |= (. * 1000 | round)'
pcprof prof --format csv --by image s.db:4,5 | cut -d , -f 1-3 | tail -n 2
# The cycles of procedures are those that the run's report has of functions.
pcprof show --format json s.db:1 | jq -r '.time | .per_cycle as $n | .functions[] | [.function, ((.time.oracle, .time["tip:period=101"] // 0) / $n * 100 | round)] | @csv' | sort > functions
pcprof prof --format json --event cycles@tip:period=101 s.db:1 | jq -r '.procedures[] | [.procedure, ((.cycles.exact, .cycles.estimate) * 100 | round)] | @csv' | sort > procedures
cmp functions procedures && echo "$(wc -l < procedures) procedures as in the report"
# Sums of the epoch and of its runs are the same; so are those of a store that has been merged.
pcprof prof --format json s.db:ooo | jq .procedures > epoch && pcprof prof --format json s.db:1-2 | jq .procedures | cmp - epoch && echo same
pcprof merge m.db s.db && pcprof prof --format json m.db:ooo | jq .procedures | cmp - epoch && echo same
# The run's statistics, configuration, and edges.
pcemu --dump-config > boom.conf
sqlite3 s.db "SELECT text FROM configuration WHERE name = 'boom'" | grep -v '^$' | cmp - boom.conf
sqlite3 s.db "SELECT statistics FROM run WHERE id = 3" | jq -c 'keys, .core.cycles'
sqlite3 s.db "SELECT count(*) > 100, sum(value) = total FROM edge JOIN series ON id = series WHERE run = 1"
sqlite3 s.db "SELECT name, length(program_hash) FROM run JOIN epoch ON epoch.id = epoch WHERE program IS NOT NULL; PRAGMA integrity_check; PRAGMA foreign_key_check"
# What cannot be.
mv gone invariant
try pcprof list none.db
try pcprof list err
try pcprof prof s.db
try pcprof prof s.db:two
try pcprof prof s.db:7
try pcprof prof s.db:1x
try pcprof prof --event mispredict s.db:ooo
try pcprof prof --event cycles@lci s.db:ooo
try pcprof prof --by file s.db:ooo
try pcprof prof
try pcprof show s.db
try pcprof show s.db:9
try pcprof show s.db:ooo
try pcprof merge s.db
try pcprof merge s.db ./s.db
try pcemu --no-program --collect s.db:1st ./invariant
try pcemu --no-program --collect s.db:1 ./invariant
try pcemu --no-program --collect ./invariant ./invariant
try pcemu --no-program --collect /nowhere/s.db ./invariant
try pcemu --no-program --collect - ./invariant
try pcemu --no-program --collect s.db:x -o s.db ./invariant
try pcemu --core functional --collect s.db ./invariant
# Rows that are impossible, and runs whose texts are damaged: each command says so.
sqlite3 s.db "VACUUM INTO 'bad.db'"
sqlite3 bad.db "UPDATE epoch_event SET scale_least = -1, scale_most = -1; UPDATE series SET scale = -1"
for c in "prof bad.db:ooo" "top bad.db:ooo" "stats bad.db:1-2" "diff bad.db:1 s.db:2" "diff s.db:1 bad.db:2" "diff s.db:1 none.db" \
    "annotate bad.db:ooo" "summary bad.db:ooo" "cfg bad.db:ooo main" "calc bad.db:ooo main" "report bad.db:ooo -o page" \
    "report s.db:ooo -o /none/page" "top --event none s.db:ooo" "stats --event none s.db:1" "annotate --event none s.db:ooo" \
    "list s.db:99" "list s.db:1x" "list s.db:none" "cfg --format dot s.db:ooo main -o /none/graph" "diff --event none s.db:1 s.db:2"; do
    # shellcheck disable=SC2086 # words
    try pcprof $c 2>&1 | head -n 3
done
sqlite3 s.db "VACUUM INTO 'text.db'" && sqlite3 text.db "UPDATE run SET statistics = '{'"
try pcprof report text.db:ooo -o page
pcprof list text.db | sed -n '/^run /p; / boom /p' | head -n 2
sqlite3 text.db "UPDATE run SET report = '{'"
try pcprof show text.db:1
rm bad.db text.db
sqlite3 s.db 'PRAGMA user_version = 99'
try pcprof list s.db
try pcemu --no-program --collect s.db ./invariant
ls -- *.db*
# An output does not replace the store that it is made from.
for c in "prof s.db:ooo" "show s.db:1" "diff s.db:1 s.db:2" "export --to folded s.db:ooo" "report s.db:ooo" "list s.db"; do
    # shellcheck disable=SC2086 # words
    try pcprof $c -o ./s.db 2>&1 | head -n 1
done
pcprof list --format json s.db | jq '.runs | length'
# An event by perf's name.
pcemu --core inorder --no-program --max-insts 1k --profile counts --collect perf.db:a -o report "$workloads/invariant" 1 2> messages
pcprof prof --event cache-misses perf.db:a
pcprof calc --time cyles perf.db:a main
true
