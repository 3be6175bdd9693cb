# A report as JSON, shown as text, CSV and JSON: byte for byte what pcemu writes in that form.
pcasm "$programs/value.pasm" -o value.pc && pcasm "$programs/edge.pasm" -o edge.pc && pcasm "$programs/simple.pasm" -o simple.pc
pcasm -o endless.pc - 2> err << 'P'
        .filter class load
        .entry  load on
on:     mov     pc32 -> v0
        mov     v0 -> v1 | goto on
P
printf 'load pc=0x1000 result=7 x40\nload pc=0x2000 result=8 x20\n' > samples
printf '#include <stdio.h>\nint main(void) { for (int i = 0; i < 100; i++) printf("%%d\\n", i); return 0; }\n' > dynamic.c
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -s -o stripped dynamic.c
cp "$workloads/invariant" .
same() { # NAME PCEMU-ARGUMENT...
    name=$1
    shift
    for format in text json csv; do pcemu -o "as.$format" --format $format "$@" > out 2> err; done
    for format in text json csv; do
        pcprof show --format $format as.json | cmp - as.$format && pcprof show --format $format -o again - < as.json && cmp again as.$format
    done && echo "$name: $(grep -c . as.text) lines, the same"
}
same value --program value.pc --max-insts 60000 --profile oracle,tip,lci ./invariant
same edge --program edge.pc --max-insts 60000 --profile tip:period=101 ./invariant
same simple --program simple.pc --max-insts 60000 ./invariant
same time --no-program --profile oracle,nci,software --max-insts 60000 ./invariant
same libraries --program edge.pc -L "${RV_SYSROOT:-/usr/riscv64-linux-gnu}" --profile oracle ./stripped
same no-truth --no-truth --program value.pc --max-insts 60000 ./invariant
same fault --program endless.pc --core samples:samples
same samples --program value.pc --core samples:samples
cp as.json report.json
# Rows by a member, from the run and from the file; what no table has is refused before the run.
pcemu --program value.pc --core samples:samples --sort samples:up --top 1 -o sorted
pcprof show --sort samples:up --top 1 report.json | cmp - sorted && sed -n '/^Loads/,/^$/p' sorted
try() { "$@"; echo "-> $?"; }
try pcemu --program value.pc --core samples:samples --sort sampels -o unsorted
try pcemu --program edge.pc --core samples:missing --sort no-such-member
try pcemu --no-program --profile oracle,tip --sort tap ./invariant
try pcemu --no-program --sort samples ./invariant
# A column is named by its title too, in any case; a member comes first.
pcemu --no-program --profile oracle,tip:period=100 --max-insts 50k --format json -o times.json ./invariant > /dev/null
for column in Function:up "basic block" place:up PC Instruction; do
    try pcprof show --sort "$column" --format json -o sorted.json times.json
    jq -c '[.time.functions[].function] == ([.time.functions[].function] | sort), [.time.profilers[].error.block // empty] != [],
        [.time.instructions[].pc] == ([.time.instructions[].pc] | sort),
        [.time.instructions[].assembly] == ([.time.instructions[].assembly] | sort | reverse)' sorted.json | paste -s
done
try pcprof show --sort "basic blok" times.json
try pcprof show --sort mostly times.json
try pcemu --no-program --profile oracle,tip --sort tip --width 60 --top 2 --max-insts 100000 -o narrow ./invariant
awk 'length($0) > most { most = length($0) } END { print most <= 60 ? "no line is longer than 60" : "a line of " most }' narrow
sed -n '/^Instructions/,$p' narrow | grep -c ' \.\.\.[+x0-9a-f]* invariant.c:[0-9]*$'
try pcprof show --sort loda report.json
ls unsorted
# Tables of comma-separated values.
pcprof show --format csv report.json | grep -e '^summary,key' -e '^summary,rms_error,' -e '^loads,' -e '^loads.values,'
try pcemu --program value.pc --core samples:samples --format csv --stats stats
# Commands, and what they say of bad usage.
try pcprof
try pcprof help help | head -n 1
try pcprof help show list
try pcprof shwo
try pcprof help
try pcprof help help | head -n 1
try pcprof help show > help && head -n 1 help && tail -n 1 help
try pcprof show
try pcprof show a b
try pcprof show --format xml report.json
try pcprof show --top x report.json
try pcprof show -o report.json ./report.json
# Files that are no reports.
try pcprof show missing.json
head -c 700 report.json > truncated.json
try pcprof show truncated.json
echo '{"cycles": 1' > object.json; echo '{"cycles" 1}' > syntax.json; echo '[1]' > array.json; : > empty.json
for file in object syntax array empty; do try pcprof show $file.json; done
pcemu --program value.pc --core samples:samples --format json --stats stats.json -o other.json
try pcprof show stats.json
pcasm --cost=json -o cost.pc "$programs/edge.pasm" | try pcprof show -
change() { jq "$1" report.json > changed.json; try pcprof show changed.json; }
change '.version = 2'
change '.version = "1"'
change 'del(.presentation)'
change 'del(.cycles, .interrupts)'
change '.loads[1].samples = "many"'
change '.loads[0].values[0].value = 12'
change 'del(.loads[0].pc)'
change '.loads = {}'
change '.presentation |= map(if .value == "cycles" or .value == "partial" then .type = "number" else . end)'
change '.presentation |= map(if .value == "delivered" then .decimals = 1000000 else . end)'
# A member that nothing describes is not shown; sections of which pcprof knows nothing are.
jq '.extra = {"of": "another"}' report.json | pcprof show - | cmp - as.text && echo "the same"
jq '.mine = {"n": 1234} | .presentation += [{"note": "Mine"}, {"section": "mine", "parts": [{"value": "n", "type": "count", "label": "of mine", "unit": "units"}]}]' \
    report.json | pcprof show - | tail -n 3
# Outputs that cannot be written.
try pcprof show --format json -o /dev/full report.json
try pcemu --program value.pc --core samples:samples --format json -o /dev/full
trap '' PIPE
# A pipe that has lost its reader.
mkfifo pipe
exec 3<> pipe 4> pipe
exec 3<&-
pcemu --program value.pc --core samples:samples --format json -o - >&4
echo "-> $?"
