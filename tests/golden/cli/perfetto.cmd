# The time line of a run: its sums are the numbers of the report, and the slices of a track follow each other.
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
pcasm "$programs/value.pasm" -o value.pc
pcemu --program value.pc --timeline line.json --timeline-step 1000 --format json -o report.json "$workloads/sort" 8
sum() { jq "[.traceEvents[] | $1] | add" line.json; }
same() { [ "$2" = "$3" ] && echo "$1: the same" || echo "$1: expected $2, found $3"; }
same instructions "$(jq .instructions report.json)" "$(sum 'select(.name == "hart 0: retired").args.instructions')"
same 'cycles of threads' "$(jq .cycles report.json)" "$(sum 'select(.name == "thread 1").dur')"
same 'cycles of handlers' "$(jq .handler_cycles report.json)" "$(sum 'select(.name == "handler").dur')"
same 'delivered samples' "$(jq .delivered report.json)" "$(sum 'select(.name == "samples").args | add')"
same 'early drops' "$(jq .dropped_early report.json)" "$(sum 'select(.name == "samples").args["dropped: early drop"]')"
jq '[.traceEvents[] | select(.ph == "X")] | group_by(.tid)[] | [range(1; length) as $n | .[$n].ts >= .[$n - 1].ts + .[$n - 1].dur] | all' line.json
jq -r '.traceEvents[] | select(.name == "thread_name").args.name' line.json
jq '[.traceEvents[] | select(.ph == "X" and .tid == 2)] | max_by(.dur).name' line.json
# Interrupts that the program raises.
pcasm "$programs/edge.pasm" -o edge.pc
pcemu --program edge.pc --timeline edge.json --format json -o edge.report "$workloads/interp" 1
same interrupts "$(jq .interrupts edge.report)" "$(jq '[.traceEvents[] | select(.name == "interrupt")] | length' edge.json)"
# Several harts, each with its own tracks; a part of the time of the second one is idle.
pcemu --no-program --harts 2 --timeline harts.json --stats stats.json --format json -o /dev/null "$build/harts/sharing" > out
jq '[.traceEvents[] | select(.name | startswith("hart ")).args.instructions] | add' harts.json
jq -c '[.traceEvents[] | select(.name == "idle or handler").tid] | unique' harts.json
# What it cannot do.
try pcemu --core functional --timeline line.json "$workloads/sort" 8
try pcemu --program value.pc --timeline line.json -x /dev/null "$workloads/sort" 8
try pcemu --no-program --timeline no/folder "$workloads/sort" 8
try pcemu --timeline-step 0 --timeline line.json "$workloads/sort" 8
