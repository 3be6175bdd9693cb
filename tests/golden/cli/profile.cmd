# The main job, in the words of the README. The figures depend on the compiler that made the workload; what must hold of any does not.
cp "$programs/value.pasm" "$workloads/invariant" .
pcasm value.pasm && pcemu --core ooo ./invariant 8 > out 2> first
echo "-> $?"
cat out
pcasm value.pasm && pcemu --core ooo ./invariant 8 > out 2> second
cmp first second && echo "two runs are the same to the byte"
pcemu --format json -o report.json --stats stats.json ./invariant > /dev/null
jq -c keys stats.json
# Sampling: a rare value that is missed makes some 3 % of the error, and which are missed is a matter of the last
# cycle.
jq -r 'if .rms_error < 0.2 and .pairs_found > 0.95 * .pairs_scored then "RMS error below 20 %, over 95 % of the values found"
    else "RMS error \(.rms_error), \(.pairs_found) of \(.pairs_scored) values found" end' report.json
jq -r '.coprocessor.words_executed | map(select(.count == 0)) | if length < 4 then "next to all words are executed" else "\(length) words are not executed" end' stats.json
# Without the truth, the same estimates, and nothing of what is exact.
pcemu --no-truth --format json -o bare.json ./invariant > /dev/null
jq -S 'del(.pairs, .timeline, .rms_error, .rms_error_low, .rms_error_uncorrected, .exact_loads, .exact_executions, .profiled_share, .aliased_loads,
    .pairs_scored, .pairs_found, .phantoms, .pairs_min_count, .pairs_min_share, .exact_glacial, .glacial_found, .glacial_false, .presentation,
    .loads[].executions, .loads[].values[].exact)' report.json > estimates.json
jq -S 'del(.presentation)' bare.json | cmp - estimates.json && echo "--no-truth leaves out what is exact, and nothing else"
pcasm -o edge.pc "$programs/edge.pasm"
for truth in '' --no-truth; do
    pcemu $truth --program edge.pc --format json -o edge.json ./invariant 1 > /dev/null
    jq -c '[.layouts[0].score != null, (.layouts[0].rows[0] | has("exact"))]' edge.json
done
pcemu --max-insts 100000 -o partial ./invariant
echo "-> $?"
grep -c -i partial partial
