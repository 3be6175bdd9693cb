# Profiles of time. The figures depend on the compiler that made the workload; what must hold of any does not.
cp "$workloads/invariant" .
pcemu --profile oracle,tip:period=1,tip:period=101,tip:period=5003,nci:period=101,tip-ilp:period=101,lci:period=101 --format json -o r.json \
    --stats s.json ./invariant 1 > /dev/null
jq -r '.time | if .cycles * .per_cycle == .profilers[0].time then "the oracle has every cycle" else . end' r.json
jq -r '.time.profilers[] | select(.categories) | if ([.categories[]] | add) == .time then "\(.profiler): its categories add up" else . end' r.json
# Of each profiler, also where it has time that the oracle has not: for no instruction.
jq -r '.time | (.functions, .instructions) as $rows | [.profilers[] | .profiler as $name | .time == ([$rows[].time[$name]] | add)] |
    if all then "they add up" else "no" end' r.json
jq -n -r --slurpfile r r.json --slurpfile s s.json 'if $r[0].time.cycles == $s[0].core.cycles then "as many as the core counts" else "no" end'
jq -r '[.time.profilers[] | {(.profiler): .error}] | add |
    (if .["tip:period=1"].instruction < 1e-12 then "TIP is the oracle where it samples every cycle" else . end),
    (if .["tip:period=101"].instruction < .["tip:period=5003"].instruction then "more samples, less error" else . end),
    (if .["tip:period=101"].instruction < .["tip-ilp:period=101"].instruction then "TIP < TIP-ILP" else . end),
    (if .["tip:period=101"].instruction < .["nci:period=101"].instruction then "TIP < NCI" else . end),
    (if .["nci:period=101"].instruction < .["lci:period=101"].instruction then "NCI < LCI" else . end),
    (if .["nci:period=101"] | .function <= .block and .block <= .instruction then "coarser is better" else . end)' r.json
pcemu --profile oracle,tip:random:period=997 --format json -o one.json ./invariant 1 > /dev/null
pcemu --profile oracle,tip:random:period=997 --format json -o two.json ./invariant 1 > /dev/null
cmp one.json two.json && echo "two runs are the same to the byte"
# Beside a program for the co-processor: one report, one JSON value.
pcasm "$programs/value.pasm"
pcemu --profile oracle,dispatch,software --format json ./invariant 2> both.json > /dev/null
jq -s -r 'length, (.[0] | has("loads") and has("time"))' both.json
pcemu --profile oracle,nci --top 3 ./invariant 1 2>&1 > /dev/null | grep -c -e "^Loads by samples" -e "^Functions by time" -e "^Instructions by time"
# A run that is cut short is profiled as far as it went.
pcemu --no-program --max-insts 5000 --profile oracle,software --format json -o part.json ./invariant
jq -r '.partial, (.time | .cycles * .per_cycle == .profilers[0].time)' part.json
pcemu --no-program --warmup 100000 --profile oracle,tip:period=1 --format json -o late.json ./invariant 1 > /dev/null
jq -r '.time | .cycles * .per_cycle == .profilers[0].time and .profilers[0].time == .profilers[1].time' late.json
for p in help oracel tip:period=0 tip:often oracle:random ""; do
    pcemu --profile "$p" ./invariant
    echo "-> $?"
done
# As many tagging profilers as there can be profilers, beside the co-processor, which tags too.
many=$(for period in $(seq 101 124); do printf 'dispatch:period=%d,' "$period"; done)
pcemu --max-insts 100000 --profile "${many%,}" --format json -o many.json ./invariant
jq -r '.time.profilers | "\(length) profilers" + if ([.[].samples] | min) > 100 then " with more than 100 samples each" else "" end' many.json
pcemu --core functional --profile oracle ./invariant
# Several lists are one.
pcemu --no-program --profile oracle --profile tip:period=101,nci:period=101 --max-insts 100k --format json -o lists.json ./invariant 1 > /dev/null
jq -c '[.time.profilers[].profiler]' lists.json
pcemu --no-program --profile tip --profile oracle,tip ./invariant; echo "-> $?"
# Numbers with a suffix. One that is too large is out of range, not malformed.
pcemu --no-program --profile tip:period=101,nci:period=1k --max-insts 0x1k --format json -o suffix.json ./invariant > /dev/null
jq -c '[.time.profilers[].profiler], .instructions >= 1000' suffix.json
for period in 1K 1kk k 1e3 2000000000G 99999999999999999999; do
    pcemu --no-program --profile tip:period=$period ./invariant; echo "-> $?"
done
# Names in any case, and what may have been meant where there is no such name.
pcemu --no-program --profile TIP:Period=101,Counter:event=dcache-MISS+inst.ret:rotate=100 --max-insts 5k --format json -o case.json ./invariant > /dev/null
jq -c '[.time.profilers[].profiler], [.counters.events[] | .profiler, .event]' case.json
for p in tip,TIP tip: tip, tip:perd=5 profileme:wind=3 nci:window=3 counter:event=DCACHE_MIS counter:event=squash oracl; do
    pcemu --no-program --profile $p ./invariant; echo "-> $?"
done
# A period beyond the run: the report says why the tables are empty, and ranks by a profiler that has samples. Errors
# need an exact profile.
pcemu --no-program --max-insts 10k --profile tip:period=1G,retire-delay:period=1M,tip:period=100,tea:period=1G,paths:period=1M \
    --top 1 ./invariant 2>&1 > /dev/null | sed 's/the run has [0-9,]* /the run has N /' |
    grep -e '^Warning: no' -e 'the run has' -e 'not known (-)'
pcemu --no-program --max-insts 10k --profile tip:period=1G,tip:period=100 --format json -o none.json ./invariant > /dev/null
jq -c '[.time.instructions[0].time[]] | .[0] == 0, .[1] > 0' none.json
pcemu --no-program --max-insts 10k --profile oracle,tip:period=100,tea-oracle,tea:period=100 ./invariant 2>&1 > /dev/null |
    grep -c -e 'Warning: no samples' -e 'not known (-)'
pcasm -o tip.pc "$programs/tip.pasm"
pcemu --program tip.pc --param period=1G --max-insts 10k ./invariant 2>&1 > /dev/null | sed 's/has [0-9,]* /has N /' | grep "the sampler's period"
pcemu --program tip.pc --param period=100 --max-insts 10k ./invariant 2>&1 > /dev/null | grep -c "(by the sampler)"
# Time of no instruction has one name, in functions and in instructions.
pcasm -o edge.pc "$programs/edge.pasm"
pcemu --program edge.pc --max-insts 200k --profile oracle ./invariant 2>&1 > /dev/null |
    sed -n '/^Functions/,$p' | grep '(handler)' | sed 's/[0-9.][0-9.]*//g; s/  */ /g' | sort -u
