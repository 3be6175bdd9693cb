# save-session replaces no file that the run reads or writes. A session that a signal ends leaves no output.
. "$here"/common.sh
cp "$build/tests/terminal/forever" guest
cp taken.pasm other.pasm
pcasm -o other.pc other.pasm
cp pc.out program.pc
cp guest untouched
cp other.pc kept.pc
printf 'save-session inner\nquit\n' > inner
ln -s guest link
refuse() {
    echo "== $*"
    printf 'echo first\nsave-session %s\n' "$1" > script
    shift
    pcemu -o report --stats stats --config config -x script "$@" 2>&1 | grep -v '^position'
}
pcemu --dump-config > config
for file in guest link ./program.pc config report stats script taken.pasm; do
    refuse $file --program program.pc ./guest
done
refuse samples --core samples:samples
refuse store --core inorder --collect store --program program.pc ./guest
echo "== in another script, and what reload has loaded"
printf 'source inner\n' | debug
printf 'reload other.pasm\nsave-session other.pasm\nreload other.pc\nsave-session other.pc\n' | debug
echo "== left as they were"
cmp guest untouched; cmp pc.out program.pc; cat inner; cmp taken.pasm other.pasm; cmp kept.pc other.pc; wc -l < samples
echo "== what may be replaced"
echo old > old
printf 'echo first\nsave-session old\nsave-session new\nsave-session /dev/null\n' | debug
ls old new
echo "== ended by a signal: no output is left"
rm -f report stats
for signal in HUP TERM; do
    # shellcheck disable=SC2016 # for the debugger's shell
    echo "shell kill -$signal "'$PPID' > script
    { env --default-signal pcemu -o report --stats stats -x script --program program.pc ./guest; echo "$signal: status $?"; } 2>&1 | tail -n 1
    find . -name '*report*' -o -name '*stats*' -o -name '*partial'
done
