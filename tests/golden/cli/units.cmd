# Basic-block vectors, regions from them, estimates from results, and pcsweep estimate with its refusals.
cp "$workloads/branchy" .
try() { echo "\$ $*"; "$@" 2>&1; echo "-> $?"; }
run() { try pcemu --no-program "$@" ./branchy > out; grep -v '^branchy' out; }
run --bbv a.bb --interval 0
run --bbv a.bb --profile oracle
run --bbv a.bb --warm
run --bbv a.bb --stats b
run --bbv a.bb --core samples:x
run --bbv a.bb --interval 10k --max-insts 1M
cut -c 1-60 a.bb | head -n 3
grep -c '^T' a.bb
pcemu --bbv - --interval 1k --max-insts 3k branchy | tail -n 1
# Regions.
try pcsweep regions a.bb
try pcsweep regions --simpoints s a.bb
try pcsweep regions --results r --more -o b a.bb
try pcsweep regions --unit 15k -o b a.bb
try pcsweep regions -o b branchy
try pcsweep regions --units 20 --max-k 4 -o a.regions --places places --warmup 1k a.bb
head -n 3 places
try pcsweep regions --units 20 --max-k 4 --seed 2 --unit 20k -o b.regions a.bb
try pcsweep regions --simpoint --max-k 4 -o s.regions --simpoints s --weights w a.bb
cat s w
# Estimates: each region has 12,000 cycles, or as many as its number says.
results() { jq -r ".regions[] | [.first, ($2), .instructions] | @tsv" "$1"; }
results a.regions 12000 > constant
results a.regions '10000 + .first % 700' > varied
try pcsweep regions --results constant --precision 3 a.regions
try pcsweep regions --results varied --precision 0.1 --more -o more.regions a.regions
jq '.regions | length' more.regions
pcsweep regions --results varied --format json a.regions | jq -c '[.estimate, .estimate_interval[]] | map(. * 1e6 | round)'
results s.regions 12000 > points
try pcsweep regions --results points --precision 3 s.regions
head -n 5 varied > some
try pcsweep regions --results some a.regions
try pcsweep regions --results a.bb a.regions
try pcsweep regions --results varied a.bb
# The whole.
try pcsweep estimate
try pcsweep estimate --precision 0 -- ./branchy
try pcsweep estimate --units 50 --max-units 10 -- ./branchy
try pcsweep estimate -- ./absent
try pcsweep estimate -- --profile oracle ./branchy
# The same again goes on, and all is done.
for again in 1 2; do
    try pcsweep estimate --units 20 --max-units 20 --precision 0.01 -o kept -- --max-insts 400k ./branchy
done
ls kept
try pcsweep estimate -o kept -- --max-insts 500k ./branchy
# The folder is that of the program's contents.
cp "$workloads/invariant" kept.elf
pcsweep estimate --units 10 --max-units 10 --precision 50 -o changed -- --max-insts 200k ./kept.elf > /dev/null
cp branchy kept.elf
try pcsweep estimate --units 10 --max-units 10 --precision 50 -o changed -- --max-insts 200k ./kept.elf
try pcsweep estimate --units 30 --max-units 30 --precision 50 -o kept -- --max-insts 400k ./branchy
# Of a caller that ignores the ends of processes.
timeout 60 env --ignore-signal=CHLD pcsweep estimate --units 10 --max-units 10 --precision 50 -- --max-insts 200k ./branchy |
    head -n 1
# One estimate at a time: the first one has begun when its program opens its input, and does not end.
mkfifo begun
pcsweep estimate --input begun -o shared -- "$build/tests/terminal/forever" 2> /dev/null &
exec 3> begun
timeout 60 pcsweep estimate --input begun -o shared -- "$build/tests/terminal/forever"
echo "-> $?"
kill $!
wait $! 2> /dev/null || true
# Units are of their own length, whatever the run's is.
awk '{ print $3 }' kept/results | sort -u
# Profiles of units, in the folder of an estimate that has none: its vectors, checkpoints and results stay.
profiled() { pcsweep estimate --units 30 --max-units 30 --precision 50 -o profiled "$@" -- --max-insts 400k ./branchy; }
profiled > /dev/null
cp profiled/results before
printf '%s\n' all:branch main:latency 'all:branch main:latency' > questions
SOURCE_DATE_EPOCH=0 profiled --profile oracle,tip:period=101:random,graph --gain questions --collect run.db --top 4 |
    sed -n '/^Cycles by cause/,$p'
cmp before profiled/results
ls profiled | sed 's/\.[0-9a-f]\{12\}\./.HASH./'
# The shares of the JSON form: each is within its interval, and all instructions of the oracle have all cycles but for idle ones.
profiled --profile oracle --format json > profiled.json
jq -c '[.profiles[].instructions[].share] | add | . * 1e4 | round' profiled.json
jq '[.causes[], .profiles[].instructions[], .profiles[].functions[] | select(.interval)
    | .interval[0] <= .share and .share <= .interval[1]] | all' profiled.json
# The store is one of a run, for pcprof; exact counts of units are estimates of it.
pcprof list run.db | grep -A 2 '^run  epoch'
pcprof list run.db | grep ' cycles '
pcprof prof --top 2 run.db | tail -n 3
pcprof whatif -n 1 run.db | cut -c 1-60
try profiled --collect run.db
try profiled --profile oracle --collect run.db:1
try profiled --profile orcale
try profiled --gain absent
try profiled --profile oracle --gain 4
printf 'nowhere:branch\n' > wrong
try profiled --jobs 1 --gain wrong
# Of an estimate that is ended nothing stays but what it has been given a folder for.
mkdir temporary
TMPDIR=$PWD/temporary pcsweep estimate --input begun -- "$build/tests/terminal/forever" 2> /dev/null &
exec 4> begun
ls temporary | wc -l
kill $!
wait $! 2> /dev/null
echo "-> $?"
timeout 60 sh -c 'while [ -n "$(ls temporary)" ]; do :; done' && echo removed
