# Reconstruction of paths. The figures depend on the compiler that made the workloads; what must hold of any does not.
for w in compress sort coremix bitboard branchy compiler; do
    cp "$workloads/$w" .
    pcemu --no-program --max-insts 150000 --profile paths:period=250 --format json -o $w.json ./$w > /dev/null || exit 1
done 2> err
jq -s -r 'def less($a; $b): $a <= $b + 1e-9;
    def row($scope; $n): .paths.success[] | select(.scope == $scope and .length == $n) | .share;
    def mean($scope; $n; $scheme): [.[] | row($scope; $n)[$scheme]] | add / length;
    ["intraprocedural", "interprocedural"] as $scopes | [range(1; 17)] as $lengths |
    (if all(.[]; .paths.samplers[0].samples > 500) then "each has its samples" else "too few" end),
    (if all(.[]; .paths.success | length == 32) then "lengths 1 to 16" else . end),
    (if all(.[].paths.success[].share; less(.static; .history) and less(.history; .pair) and less(.pair; .distance)
        and less(.history; .likely) and less(.pair; .likely_pair))
        then "static <= history <= pair <= distance, everywhere" else "no: schemes" end),
    (if all(.[]; . as $r | all($scopes[]; . as $s | all(range(1; 16); . as $n |
        less($r | row($s; $n + 1).counts; $r | row($s; $n).counts)))) then "counts fall with each branch" else "no: counts" end),
    (if all(.[]; . as $r | all($lengths[]; . as $n | less($r | row("interprocedural"; $n).counts; $r | row("intraprocedural"; $n).counts)
        and less($r | row("interprocedural"; $n).history; $r | row("intraprocedural"; $n).history + 0.01)))
        then "interprocedural <= intraprocedural" else "no: scopes" end),
    (. as $all | if all($scopes[]; . as $s | all($lengths[]; . as $n |
        $all | mean($s; $n; "counts") < mean($s; $n; "likely") and less(mean($s; $n; "likely"); mean($s; $n; "likely_pair"))))
        then "on average counts < likely <= likely_pair at every length" else "no: likely" end),
    (. as $all | if all($scopes[]; . as $s | all(range(8; 17); . as $n |
        $all | mean($s; $n; "counts") < mean($s; $n; "history"))) then "counts < history from 8 branches on" else "no: history" end),
    (. as $all | if all($scopes[]; . as $s | all("counts", "history", "pair", "distance", "likely", "likely_pair"; . as $k |
        $all | mean($s; 16; $k) < mean($s; 1; $k))) then "16 branches are harder than 1" else "no: lengths" end),
    (if all(.[].paths.success[].share; .records > 0.97) then "records hold nearly all paths" else "no: records" end)' \
    compress.json sort.json coremix.json bitboard.json branchy.json compiler.json
pcemu --no-program --max-insts 150000 --profile paths:period=250 --format json -o again.json ./sort > /dev/null 2>&1
cmp sort.json again.json && echo "two runs are the same to the byte"
# On the in-order core; shorter paths; two observers side by side.
pcemu --no-program --core inorder --max-insts 50000 --profile paths:length=4:period=100,paths:window=3:seed=5 --format json \
    -o two.json ./sort > /dev/null 2>&1
jq -r '[.paths.samplers[].profiler], (.paths.success | length), ([.paths.outcomes[] | .right + .wrong + .several + .none + .limit] | unique | length)' \
    two.json
# Every selected instruction is one of these; some are in flight at the end of a run that is cut short.
pcemu --no-program --max-insts 20k --profile paths:period=5,paths:period=20:seed=7 --format json -o parts.json ./sort > /dev/null 2>&1
jq -c '[.paths.samplers[] | .selected == .squashed + .in_flight + .cut + .thinned + .samples, (.in_flight | . > 0 and . < 100)]' parts.json
for p in paths:period=0 paths:window=64 paths:length=17 paths:lenght=3 paths:window=; do
    pcemu --profile "$p" ./sort
    echo "-> $?"
done
