# Top-down analysis: the slots of a run, and the core's statistics beside them. The figures depend on the compiler that
# made the workloads; what must hold of any does not.
cp "$workloads/invariant" "$workloads/branchy" "$workloads/stores" "$workloads/compiler" .
ooo() { pcemu --no-program --max-insts 300k "$@"; }
inorder() { ooo --core inorder --config ev5 "$@"; }
ev6() { ooo --config ev6 "$@"; }
# The sums, and each category of the first levels against the statistics, which count `ftq` as front end.
check() { # NAME
    jq -rn --arg name "$1" --slurpfile r r.json --slurpfile s s.json '
        def all: "retired slots_squashed slots_recovery slots_frontend slots_memory slots_core slots_handler" | split(" ");
        ($s[0].harts // [$s[0].core]) as $cores | $r[0].topdown as $t |
        ([$t.categories[] | {(.category): .slots}] | add) as $of |
        def slots($path): $of[$path] // 0;
        (all | map({(.): (. as $k | [$cores[] | .[$k]] | add)}) | add) as $stat |
        (slots("backend_bound.memory.ftq") + slots("backend_bound.core.ftq")) as $ftq |
        [$t.slots == $t.width * $t.cycles, $t.slots == ([$t.instructions[].slots] | add),
         $t.slots == ([$t.functions[].slots] | add), $t.slots == ([$t.categories[] | select(.level == 1) | .slots] | add),
         $stat.retired == slots("retiring"), $stat.slots_squashed + $stat.slots_recovery == slots("bad_speculation"),
         $stat.slots_frontend == slots("frontend_bound") + $ftq,
         $stat.slots_memory == slots("backend_bound.memory") - slots("backend_bound.memory.ftq"),
         $stat.slots_core == slots("backend_bound.core") - slots("backend_bound.core.ftq"),
         $stat.slots_handler == slots("handler")] |
        if all then "\($name): all slots, as the statistics have them" else "\($name): \(.)" end'
}
for guest in invariant branchy stores compiler; do
    for core in ooo ev6 inorder; do
        $core --profile topdown --format json -o r.json --stats s.json ./$guest > out
        check "$guest $core"
        $core --stats alone.json --format json ./$guest > out 2> err
        jq -c .core s.json > with && jq -c .core alone.json | cmp - with
    done
done
for core in ooo inorder; do
    pcemu --core $core --harts 3 --no-program --profile topdown --format json -o r.json --stats s.json \
        --set page_fault_cycles=300 ./invariant 1 > out
    check "3 harts $core"
done
echo '--- where'
ooo --profile topdown --format json -o r.json ./branchy > out
jq -r '.topdown | .functions[0].function,
    ((.categories[] | select(.category == "bad_speculation") | .share) > 0.5)' r.json
ooo --profile topdown --format json -o r.json ./stores > out
jq -r '[.topdown.functions[0].lost | to_entries | max_by(.value).key] | .[]' r.json
echo '--- in a store'
ooo --profile topdown --collect s.db ./branchy > out 2> err
pcprof prof --event topdown.bad_speculation.mispredict.recovery --event topdown.retiring --top 1 --format json s.db |
    jq -r '.events[] | "\(.event) \(.estimate == .exact)"'
pcprof list --top 0 s.db | grep -c ' topdown\.'
echo '--- in a recording'
ooo --profile oracle --record r.rec ./invariant > out 2> err
pcemu --core replay:r.rec --profile topdown
echo "-> $?"
pcemu --no-program --profile topdown:period=5 ./invariant
echo "-> $?"
echo '--- issue and commit'
pcemu --no-program --profile topdown,topdown-issue,topdown-commit --collect stages.db --format json -o r.json \
    ./invariant 1 > out
jq -c '.topdown as $t | .topdown_issue, .topdown_commit | [.cycles == $t.cycles, .slots == .width * .cycles,
    .slots == ([.instructions[].slots] | add), (.categories[0].slots == $t.categories[0].slots)] | all' r.json
pcprof prof --format json --event topdown-issue.retiring --event topdown.retiring stages.db |
    jq -c '[.events[].exact] | .[0] > 0 and .[0] == .[1]'
inorder --profile topdown-issue ./invariant 1 2>&1 | head -n 1
