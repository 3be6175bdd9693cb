# What profiling cost, beside the same run without it; and baselines that are none.
cp "$workloads/invariant" . && pcasm "$programs/value.pasm"
run() { pcemu --format json --top 1 "$@" > out; status=$?; [ $status = 0 ] || echo "-> $status"; }
run --max-insts 800k --no-program --stats without.json ./invariant
run --max-insts 800k --baseline without.json -o report.json ./invariant
jq -nc 'input as $report | input.core.cycles as $cycles | [$report.baseline_cycles == $cycles, $report.overhead == $report.cycles / $cycles - 1, $report.overhead > 0]' \
    report.json without.json
run --max-insts 100k --set host_free=yes --no-program --stats free.json ./invariant
pcemu --max-insts 100k --set host_free=yes --baseline free.json -o - ./invariant | grep -A 1 'without profiling'
run --max-insts 100k --baseline without.json -o short.json ./invariant
jq .overhead short.json
run --config ev6 --baseline without.json ./invariant
run --max-insts 100k --stats with.json -o report.json ./invariant
run --baseline with.json ./invariant
run --baseline report.json -o report.json ./invariant
run --baseline report.json ./invariant
run --baseline invariant ./invariant
run --baseline missing ./invariant
run --no-program --baseline without.json ./invariant
