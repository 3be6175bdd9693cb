# What was dropped, and why: a loop that comes faster than its samples are served, with early drop and without.
pcasm "$programs/edge.pasm"
cp "$workloads/invariant" .
pcemu -v --top 1 ./invariant 1 2>&1 | sed -n '/^samples/p; /dropped/p'
pcemu -v --top 1 --set cop_early_drop=0 ./invariant 1 2>&1 | sed -n '/^samples/p; /dropped/p'
pcemu --format json -o report.json ./invariant 1
jq -c '[.dropped > 0, .dropped_share == .dropped / .delivered, .dropped_full + .dropped_early + .dropped_halted == .dropped]' report.json
