# Idealised instructions: their causes, bad places and causes, cores that cannot; and that the guest's results stay.
cp "$workloads/sort" .
run() {
    echo "pcemu $*"
    status=0
    pcemu --no-program --max-insts 200000 --check "$@" ./sort 6 > out 2>&1 || status=$?
    cat out
    echo "= $status"
}
pcemu --ideal help
run --ideal main:branch+l1d --ideal all:latency --ideal 0x10000+4:icache
run --ideal main+0x4:dtlb
run --ideal all:l2+dram+forward+ordering+unit+dependence+flush
run --ideal main
run --ideal :branch
run --ideal main:
run --ideal main:brunch
run --ideal main:branch+
run --ideal nowhere:branch
run --ideal main+x:branch
run --core inorder --ideal main:branch+l1d --ideal all:latency
run --core inorder --ideal all:all
run --ideal all:all
run --ideal main:all
run --ideal main+0xffffffffffffffff:branch
run --ideal main+0x10000000000000000:branch
pcemu --no-program --core functional --ideal main:branch ./sort 6 || echo "= $?"
pcemu --no-program --core functional --gain 1 ./sort 6 || echo "= $?"
run --harts 2 --ideal main:branch
# Gains: each is that of a run with --ideal, the largest first.
for config in ev6 ev5; do
    pcemu --no-program --config $config --gain 4 --format json -o gains.json ./sort 8 > out 2> err
    jq -r '.gains | .cycles as $base | .instructions[]
           | "\(.pc):\(.removed) \(.cycles) \((1 - .cycles / $base - .gain) | fabs < 1e-9)"' gains.json > gains
    wc -l < gains
    sort -n -k 2,2 gains | cmp - gains && echo sorted
    while read -r place cycles right; do
        pcemu --no-program --config $config --ideal "$place" --stats stats ./sort 8 < /dev/null > out 2> err
        [ "$(awk '$1 == "cycles" { print $2 }' stats)" = "$cycles" ] && echo "same cycles, $right"
    done < gains
    pcemu --no-program --config $config --stats stats ./sort 8 < /dev/null > out 2> err
    [ "$(awk '$1 == "cycles" { print $2 }' stats)" = "$(jq .gains.cycles gains.json)" ] && echo "same base"
    jq -c '[(.gains.instructions[0] | has("estimated")), has("graphs")]' gains.json
done
# The in-order core stalls at the instruction that waits for a division, which is asked about.
cp "$build/cases/divisor.before" divisor
pcemu --no-program --config ev5 --gain 2 --format json -o gains.json ./divisor > out 2> err
jq -r '.gains.instructions[0] | "\(.assembly | split(" ")[0]) \(.removed) \(.gain > 0.4) \(.stalled < 0.05)"' gains.json
# On the out-of-order core the largest estimates of graph are asked for first; a file's questions are asked as --ideal takes them.
pcemu --no-program --gain 4 --format json -o gains.json ./sort 8 > out 2> err
jq -r '([.graphs.instructions[:4][] | .pc + ":" + .removed] | sort) == ([.gains.instructions[] | .pc + ":" + .removed] | sort),
       ([.gains.instructions[] | (.gain - .estimated) | fabs] | max < 0.02)' gains.json
printf '%s\n' '# comment' '' ' quicksort:branch # all of it' all:branch 'main:branch  quicksort:branch' '0x10000+4:l1d' > questions
pcemu --no-program --gain questions --format json -o gains.json ./sort 8 > out 2> err
jq -r '.gains.instructions[] | "\(.asked) \(.removed)"' gains.json
cat err
for place in quicksort all; do
    pcemu --no-program --ideal "$place:branch" --stats stats ./sort 8 < /dev/null > out 2> err
    jq --arg place "$place:branch" '.gains.instructions[] | select(.asked == $place).cycles' gains.json > cycles
    awk '$1 == "cycles" { print $2 }' stats | cmp - cycles && echo "same cycles"
done
pcemu --no-program --ideal main:branch --ideal quicksort:branch --stats stats ./sort 8 < /dev/null > out 2> err
jq '.gains.instructions[] | select(.asked | startswith("main")).cycles' gains.json > cycles
awk '$1 == "cycles" { print $2 }' stats | cmp - cycles && echo "same cycles together"
for bad in main 'main:' ':branch' 'main:brunch' 'nowhere:branch' ''; do
    printf '# \n%s\n' "$bad" > questions
    run --gain questions
done
yes all:branch | head -n 1001 > questions
run --gain questions
run --core inorder --profile graph:window=64
# A sampled graph is the only one, and its estimates choose.
pcemu --no-program --profile graph:period=500 --gain 2 --format json -o gains.json ./sort 8 > out 2> err
jq -c '[.graphs.profilers[].profiler], ([.gains.instructions[] | .estimated != null] | all)' gains.json
run --harts 2 --gain 3
run --gain 0x
run --gain 1001
run --gain 3 -x /dev/null
# Its repetitions have standard output of the kind of the first run, and end with it.
pcemu --no-program --gain 1 --confine --format json -o gains.json ./sort 8 | cat
jq '.gains.instructions[0].gain > 0' gains.json
# There is no code.
pcemu --no-program --max-insts 1000 --ideal 0x2:branch ./sort 8
