# Profiles of time. The figures depend on the compiler that made the workload; what must hold of any does not.
cp "$workloads/invariant" .
pcemu --profile oracle,tip:period=1,tip:period=101,tip:period=5003,nci:period=101,tip-ilp:period=101,lci:period=101 --format json -o r.json \
    --stats s.json ./invariant 8 > /dev/null
jq -r '.time | if .cycles * .per_cycle == .profilers[0].time then "the oracle has every cycle" else . end' r.json
jq -r '.time.profilers[] | select(.categories) | if ([.categories[]] | add) == .time then "\(.profiler): its categories add up" else . end' r.json
jq -r '.time | if ([.functions[].time.oracle] | add) == .profilers[0].time then "functions add up" else "no" end' r.json
jq -r '.time | if ([.instructions[].time.oracle] | add) == .profilers[0].time then "instructions add up" else "no" end' r.json
jq -n -r --slurpfile r r.json --slurpfile s s.json 'if $r[0].time.cycles == $s[0].core.cycles then "as many as the core counts" else "no" end'
jq -r '[.time.profilers[] | {(.profiler): .error}] | add |
    (if .["tip:period=1"].instruction < 1e-12 then "TIP is the oracle where it samples every cycle" else . end),
    (if .["tip:period=101"].instruction < .["tip:period=5003"].instruction then "more samples, less error" else . end),
    (if .["tip:period=101"].instruction < .["tip-ilp:period=101"].instruction then "TIP < TIP-ILP" else . end),
    (if .["tip:period=101"].instruction < .["nci:period=101"].instruction then "TIP < NCI" else . end),
    (if .["nci:period=101"].instruction < .["lci:period=101"].instruction then "NCI < LCI" else . end),
    (if .["nci:period=101"] | .function <= .block and .block <= .instruction then "coarser is better" else . end)' r.json
pcemu --profile oracle,tip:random:period=997 --format json -o one.json ./invariant 8 > /dev/null
pcemu --profile oracle,tip:random:period=997 --format json -o two.json ./invariant 8 > /dev/null
cmp one.json two.json && echo "two runs are the same to the byte"
# Beside a program for the co-processor: one report, one JSON value.
pcasm "$programs/value.pasm"
pcemu --profile oracle,dispatch,software --format json ./invariant 2> both.json > /dev/null
jq -s -r 'length, (.[0] | has("loads") and has("time"))' both.json
pcemu --profile oracle,nci --top 3 ./invariant 8 2>&1 > /dev/null | grep -c -e "^Loads by samples" -e "^Functions by time" -e "^Instructions by time"
# A run that is cut short is profiled as far as it went.
pcemu --no-program --max-insts 5000 --profile oracle,software --format json -o part.json ./invariant
jq -r '.partial, (.time | .cycles * .per_cycle == .profilers[0].time)' part.json
pcemu --no-program --warmup 100000 --profile oracle,tip:period=1 --format json -o late.json ./invariant 8 > /dev/null
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
pcemu --no-program --profile oracle --profile tip:period=101,nci:period=101 --max-insts 100k --format json -o lists.json ./invariant 8 > /dev/null
jq -c '[.time.profilers[].profiler]' lists.json
pcemu --no-program --profile tip --profile oracle,tip ./invariant; echo "-> $?"
