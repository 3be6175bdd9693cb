# Per-instruction cycle stacks, and time by retire delay. The figures depend on the compiler that made the workload;
# what must hold of any does not.
cp "$workloads/invariant" .
pcemu --no-program --profile oracle,tea-oracle,tea:period=1,tea:period=101,tea:period=5003,retire-delay:period=1 \
    --format json -o r.json ./invariant 4 > /dev/null
jq -r '.pics | if .cycles * .per_cycle == .profilers[0].time then "the stacks have every cycle" else . end' r.json
jq -r '.pics | if ([.stacks[] | .time["tea:period=1"] == .time["tea-oracle"]] | all)
    then "each component is the exact one where every cycle is sampled" else "no" end' r.json
jq -r '(.time.instructions | map({(.pc): .time.oracle}) | add) == (.pics.stacks | group_by(.pc)
    | map({(.[0].pc): (map(.time["tea-oracle"]) | add)}) | add)
    | if . then "an instruction'"'"'s components are its time by the oracle" else . end' r.json
jq -r '.pics | if ([.signatures[].time["tea-oracle"]] | add) == .profilers[0].time
    then "signatures add up" else "no" end' r.json
jq -r '[.pics.profilers[] | {(.profiler): .error}] | add |
    (if .["tea:period=101"].instruction < .["tea:period=5003"].instruction then "more samples, less error" else . end),
    (if .["tea:period=101"] | .function <= .block and .block <= .instruction then "coarser is better" else . end)' r.json
jq -r '.time.profilers[] | select(.profiler == "retire-delay:period=1")
    | if .error.instruction < 0.0001 then "all retire delays are the oracle" else . end' r.json
pcemu --no-program --profile tea --top 2 ./invariant 2 2>&1 > /dev/null |
    grep -c -e "^Event signatures by time" -e "^Instructions' cycle stacks by"
for p in tea-oracle:period=5 tea:period=0 tea:interval=5 retire-delay:period=0 retire-delay:random \
    retire-delay:no-offenders retire-delay:no-ilp=1; do
    pcemu --profile "$p" ./invariant
    echo "-> $?"
done
