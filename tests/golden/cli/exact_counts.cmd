# The generic driver's counts beside the exact ones, where the program says what it counts.
pcasm "$programs/edge.pasm"
cp "$workloads/invariant" .
pcemu --top 6 ./invariant 1 2>&1 | sed '1,/^interrupts/d'
pcemu --format json -o report.json --stats stats.json ./invariant 1
# Numbers as doubles: jq 1.7 would print 7.0 as it is written.
doubles='(.. | numbers) |= . + 0'
jq -c ".layouts[0] | .score, .rows[0] | $doubles" report.json
jq -c --slurpfile s stats.json '.layouts[0].score.exact_events == ($s[0].core | .. | .branches? // empty)' report.json
# Without drops every count is exact. Where nothing is said of what is counted, nothing is known.
cat > samples <<'S'
branch pc=0x2000 taken=1 x5
branch pc=0x3000 taken=0
S
pcemu --core samples:samples 2>&1 | sed '1,/^interrupts/d'
sed 's/ exact [a-z]*//' "$programs/edge.pasm" | pcasm -
pcemu --core samples:samples 2>&1 | sed '1,/^interrupts/d'
pcemu --core samples:samples --format json -o - | jq -c ".layouts[0] | .score, .rows[0] | $doubles"
# An event that did not happen: what the profile has of it is misplaced.
sed 's/exact branches/exact instructions/; s/exact taken/exact dtmiss/; s/exact untaken/exact mispred/' \
    "$programs/edge.pasm" | pcasm -
pcemu --core samples:samples -o - 2>&1 | grep -A 4 misplaced
# Misses of stores, whose accesses follow their retirement: those that --profile counts has, on both cores. The program
# reads no field and has no interrupts, so the run is undisturbed.
cat > stores.pasm <<'S'
            .program stores
            .base   stores = 0
            .index  slot, width 1
            .sampler profileme
            .filter class store, fstore
            .entry  store, fstore look
            .slot   stores[2] exact instructions { key : pc exact pc, count : 32 exact retired, missed : 32 exact l1miss }
look:       done
S
pcasm stores.pasm
cp "$workloads/transpose" .
for core in ooo inorder; do
    pcemu --core "$core" --max-insts 200k --profile counts --format json -o report.json ./transpose
    jq -r '(.layouts[0].score.counts[] | select(.member == "missed").exact) as $missed |
        ([.counts.instructions[] | select(.assembly | test("^f?s[bhwd] ")) |
            .profiles[0].counts["retired-dcache-miss"] // 0] | add) as $counted |
        "misses of stores: \($missed == $counted), more than 10000: \($missed > 10000)"' report.json
done
