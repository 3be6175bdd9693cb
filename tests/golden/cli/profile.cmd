# The main job, in the words of the README. The figures depend on the compiler that made the workload; what must hold of any does not.
cp "$programs/value.pasm" "$workloads/invariant" .
pcasm value.pasm && pcemu --core ooo ./invariant > out 2> first
echo "-> $?"
cat out
pcasm value.pasm && pcemu --core ooo ./invariant > out 2> second
cmp first second && echo "two runs are the same to the byte"
pcemu --format json -o report.json --stats stats.json ./invariant > /dev/null
jq -c keys stats.json
jq -r 'if .rms_error < 0.02 then "RMS error below 2 %" else "RMS error \(.rms_error)" end' report.json
jq -r '.coprocessor.words_executed | map(select(.count == 0)) | length | "\(.) words never executed"' stats.json
pcemu --max-insts 100000 -o partial ./invariant
echo "-> $?"
grep -c -i partial partial
