# Event counters. The figures depend on the compiler that made the workload; what must hold of any does not.
cp "$workloads/nops" .
# ProfileMe paper, Figure 2: one displaced peak in order, at the same distance each time; none on the load.
figure='.counters.skid | (map(.share) | max) as $peak | .[] | select(.share == $peak) |
    if $peak > 0.9 and .distance > 6 and .distance < 20 then "one peak behind the load" else . end'
pcemu --config ev5 --no-program --profile counter:event=loads-issued:period=7:skid --format json --start-at main -o r.json \
    ./nops 8000 > /dev/null
jq -r "$figure" r.json
jq -r '.counters.events[] | .delay,
    (.total - .overflows * .period | . >= 0 and . < 7), .samples + .lost == .overflows' r.json
# Totals are the core's statistics, by our names and by the draft's, beside the co-processor and other profilers.
pcasm -o value.pc "$programs/value.pasm"
pcemu --program value.pc --max-insts 300000 --stats s.json --format json -o r.json \
    --profile oracle,counter:event=CYCLES.HART:period=1000:cost=90,counter:event=INST.RET:random,counter:event=loads \
    ./nops
jq -r --slurpfile s s.json '.counters.events | map({(.event): .total}) | add |
    .cycles == $s[0].core.cycles, .retired == $s[0].core.retired, .loads == $s[0].core.loads' r.json
jq -r '.counters | has("skid"), (.events[0] | .cost, .samples > 10)' r.json
# Events in turns.
pcemu --no-program --max-insts 300000 --profile counter:event=dcache-miss+mispredicted+cycles:rotate=1000:period=50 \
    --format json -o r.json ./nops
jq -r '.counters.events | map(.event), (map(.time) | add),
    (.[2] | .total > 2.9 * .counted and .total < 3.1 * .counted)' -c r.json
# Samples by function and instruction, of each event, beside the exact counts; and of all an exact total.
pcemu --no-program --profile counts,counter:event=loads-issued+loads:rotate=997:period=7:skid --format json --start-at main -o r.json \
    ./nops 8000 > /dev/null
jq -r '.counters as $c | .counts.totals[0] as $t | $c.samples[] | . as $s | .event, (.instructions, .functions |
    (map(.exact) | add) == $t[$s.event], (map(.samples) | add) == ($c.events[] | select(.event == $s.event) | .samples)),
    (.instructions[0].function == "load_and_nops"), .instruction_error > 0.8, .function_error < 0.2' r.json
jq -r '[.counters.skid[].event] | unique | join(" ")' r.json
# The text form of the skid has the peaks, in the order of the distance.
pcprof show --top 3 r.json | sed -n '/^skid/,$p' | awk 'NR > 2 { print ($3 > last || $2 != event); last = $3; event = $2 }'
pcprof show --top 1 r.json | sed -n '/^skid/,$p' | awk 'NR == 3 { gsub(",", "", $4); print $4 }' > peak
jq '[.counters.skid[].samples] | max' r.json | cmp - peak && echo 'the peak'
# A report can be shown again, and sorted.
pcemu --no-program --max-insts 50000 --profile counter:event=retired:period=100 --format json -o r.json ./nops
pcprof show r.json | grep -c '^counter:event=retired:period=100  *retired '
pcemu --no-program --max-insts 50000 --profile counter:event=loads:period=9:skid --sort samples \
    -o r.txt ./nops
grep -c '^skid' r.txt
for p in counter counter:event counter:event=dcache-mis counter:event=in-progress counter:event=cycles+retired \
    counter:event=cycles:rotate=5 counter:event=retired+INST.RET:rotate=5 counter:event=cycles:period=0 \
    counter:event=cycles:period=2000000000000 counter:event=cycles:delay=0 counter:event=cycles:skid \
    counter:evnt=cycles; do
    pcemu --no-program --profile "$p" ./nops
    echo "-> $?"
done
# The overflow at the last instruction of a run, whose interrupt does not come any more, is one that is lost.
pcemu --no-program --profile counter:event=retired --format json -o r.json ./nops 80 > /dev/null 2>&1
all=$(jq '.counters.events[0].total' r.json)
pcemu --no-program --profile counter:event=retired:period="$all" --format json -o r.json ./nops 80 > /dev/null 2>&1
jq -c '.counters.events[0] | [.samples, .lost, .overflows, .estimate == .total]' r.json
