# Profiles of counts. The figures depend on the compiler that made the workload; what must hold of any does not.
cp "$workloads/invariant" .
pcemu --no-program --profile counts:slots,profileme:period=211:n=15,profileme:pair:period=2003,profileme:period=1009:n=7:buffer=16 \
    --format json -o r.json --stats s.json ./invariant 4 > /dev/null
# The exact totals are those of the core's own statistics.
jq -n -r --slurpfile r r.json --slurpfile s s.json '$r[0].counts.totals[0] as $t | $s[0].core as $c |
    {fetched: $c.fetched, retired: $c.retired, loads: $c.loads, stores: $c.stores, forwarded: $c.forwarded,
     "squashed-mispredict": $c.squashed_mispredict, "squashed-ordering": $c.squashed_ordering} | to_entries[] |
    if $t[.key] == .value then "\(.key): as many as the core counts" else "\(.key): \($t[.key]), not \(.value)" end'
# Instructions and functions add up to the totals.
for kind in retired in-progress useful-issues; do
    jq -r --arg kind "$kind" '.counts | .totals[0][$kind] as $total |
        ([.functions, .instructions | [.[].profiles[0].counts[$kind] // 0] | add] | unique) as $sums |
        if $sums == [$total] then "\($kind): adds up" else "\($kind): \($sums), not \($total)" end' r.json
done
jq -r '.counts.totals[1] | if .retired_interval[0] < .retired_exact and .retired_exact < .retired_interval[1] then
    "the interval has the exact count" else "no" end' r.json
jq -r '.counts.totals[2] | if .wasted_slots > 0.5 * .wasted_slots_exact and .wasted_slots < 1.5 * .wasted_slots_exact then
    "wasted slots: about as many" else . end' r.json
jq -r '.counts.profilers[] | select(.exact | not) | if .samples > 0 and .scale > 1 then "\(.profiler): samples" else . end' r.json
jq -r '.counts.profilers[3] | if .interrupts == (.samples / 16 | floor) then "an interrupt for 16 samples" else . end' r.json
# The text form: lines of both profilers for each instruction, and what the order is worth.
pcemu --no-program --profile counts,profileme:period=5003 --top 2 ./invariant 2 2>&1 > /dev/null |
    grep -c -e "^Functions by cycles in progress" -e "^Instructions by cycles in progress" -e "too few samples to rank" \
        -e "^  retired .* exact: "
pcemu --no-program --profile profileme:opportunity:period=997:n=7 --format json -o o.json ./invariant 2 > /dev/null
jq -r '.counts.profilers[0] | if .useless > 0 then "useless samples" else . end' o.json
# Twice the same, and cut short, and behind a warm-up.
pcemu --no-program --profile counts,profileme --format json -o one.json ./invariant 2 > /dev/null
pcemu --no-program --profile counts,profileme --format json -o two.json ./invariant 2 > /dev/null
cmp one.json two.json && echo "two runs are the same to the byte"
pcemu --no-program --warmup 100000 --max-insts 50000 --profile counts:slots,profileme:period=101:n=15 --format json -o late.json --stats late.s.json ./invariant
jq -n -r --slurpfile r late.json --slurpfile s late.s.json '$r[0].counts.totals[0].retired == $s[0].core.retired'
for p in profileme:period=0 profileme:period=1 profileme:pair:window=0 profileme:pair:period=100:window=101 profileme:window=9 \
    profileme:n=0 profileme:n=256 profileme:pair:n=2 profileme:pair:opportunity profileme:buffer=0 profileme:often counts:slot \
    profileme:n=255,profileme:n=254,profileme:n=253,profileme:n=252 \
    dispatch,retire-delay,tea,profileme:n=255,profileme:n=254,profileme:n=253,profileme:n=16; do
    pcemu --no-program --profile "$p" ./invariant
    echo "-> $?"
done
# The limits are those of the sampler of the same name.
pcasm -o pairs.pc "$programs/paired.pasm"
for option in --profile --sampler; do
    for setting in pair:window=32768:period=32767 pair:window=32769:period=40k; do
        pcemu --program pairs.pc $option profileme:$setting ./invariant; echo "-> $?"
    done
done
# As many tags as there can be, beside a sampler of pairs, their exact reference and the recorder, which tag too.
many=$(for period in $(seq 101 121); do printf 'dispatch:period=%d,' "$period"; done)
pcemu --program pairs.pc --record tags.rec --max-insts 10k --profile "${many}profileme:n=127" -o report ./invariant; echo "-> $?"
pcemu --program pairs.pc --record tags.rec --max-insts 10k --profile "${many}profileme:n=128" -o report ./invariant; echo "-> $?"
