# Samples are recorded, and programs run over them without the core. What depends on the compiler that made the workload
# is not shown.
try() { "$@"; echo "-> $?"; }
cp "$workloads/compiler" "$workloads/branchy" .
for p in value simple value-paper edge stable; do pcasm -o $p.pc "$programs/$p.pasm"; done
pcemu --program stable.pc --max-insts 300k --warmup 50k --record-samples loads.rec --stats core.txt ./compiler > /dev/null
pcemu --no-program --max-insts 300k --warmup 50k --stats none.txt ./compiler > /dev/null
cmp core.txt none.txt && echo "the recorded run is that without a program"
# A program that sets no filters sees the same samples; if handlers take no time, in the same cycles.
free='--set host_free=yes'
pcemu --program simple.pc $free --max-insts 300k --warmup 50k --format json -o live.json ./compiler > /dev/null
pcemu --program simple.pc $free --core samples:loads.rec --format json -o again.json
strip() { jq "del(.presentation, .guest, .configuration, .machine, .timeline, .offered, .filtered)" "$1"; }
strip live.json > live && strip again.json > again && cmp live again && echo "simple: the report is the same"
cat loads.rec | pcemu --program simple.pc $free --core samples:- --format json -o piped.json
cmp again.json piped.json && echo "a pipe gives the same"
# Handlers that take time delay what follows.
pcemu --program simple.pc --core samples:loads.rec --format json -o delayed.json
jq -rs '(.[1].cycles - .[0].cycles == .[1].handler_cycles), (.[0].loads == .[1].loads)' again.json delayed.json
# A run repeats, and has the exact values of a run on the core.
for p in value value-paper; do
    pcemu --program $p.pc --core samples:loads.rec --format json -o $p.json
    pcemu --program $p.pc --core samples:loads.rec --format json -o $p.2.json
    cmp $p.json $p.2.json && echo "$p: the report is the same"
    jq -rs '([.[] | [.pairs[] | {pc, value, count}] | sort_by(.pc, .value)] | .[0] == .[1]), .[1].instructions' $p.json live.json
done
pcemu --program value.pc --no-truth --core samples:loads.rec --set cop_clock_divide=8 --top 1 -o slow.txt && grep -c '^configuration .*cop_clock_divide=8' slow.txt
# Programs with other classes, fields or samplers.
try pcemu --program edge.pc --core samples:loads.rec
pcemu --program simple.pc --max-insts 20k --record-samples low.rec ./branchy > /dev/null
try pcemu --program stable.pc --core samples:low.rec 2>&1
pcasm -o tip.pc "$programs/tip.pasm"
try pcemu --program tip.pc --core samples:low.rec
pcemu --program tip.pc --max-insts 20k --record-samples tip.rec ./branchy > /dev/null
pcemu --program tip.pc --core samples:tip.rec -o tip.txt && grep -c '^profiling program' tip.txt
try pcemu --program tip.pc --param period=7 --core samples:tip.rec 2>&1
# What does not go together.
try pcemu --record-samples x.rec --no-program ./branchy
try pcemu --record-samples x.rec --program simple.pc --baseline core.txt ./branchy
try pcemu --record-samples x.rec --program simple.pc --follow-children ./branchy
try pcemu --record-samples x.rec --program simple.pc --core functional ./branchy
try pcemu --record-samples x.rec --program simple.pc --harts 2 ./branchy
try pcemu --record-samples x.rec ./branchy
try pcemu --core replay:low.rec --profile oracle
try pcemu --core samples:low.rec --program simple.pc --config ev6
pcemu --no-program --max-insts 5k --record stages.rec ./branchy > /dev/null
try pcemu --core samples:stages.rec --program simple.pc
ls x.rec 2> /dev/null
# Files that are no whole recordings.
cut_at() { head -c "$1" low.rec > cut.rec; try pcemu --core samples:cut.rec --program simple.pc 2>&1 | sed 's/[0-9][0-9]* bytes of a part, found [0-9]*/N bytes of a part, found M/; s/offset [0-9][0-9]*/offset N/'; }
cut_at 5
cut_at 40
cut_at $(($(wc -c < low.rec) / 2))
cut_at $(($(wc -c < low.rec) - 1))
(cat low.rec; echo) > longer.rec
try pcemu --core samples:longer.rec --program simple.pc 2>&1 | sed 's/offset [0-9]*/offset N/'
# Another ELF file: no names.
rm branchy
try pcemu --core samples:low.rec --program simple.pc --top 1 -o moved.txt
grep -c 'main+0x' moved.txt
true # the exit status
