# The samplers that feed a program. The figures depend on the compiler that made the workload; what must hold of any
# does not.
try() { "$@"; echo "-> $?"; }
cp "$workloads/ilp" "$workloads/branchy" .
# The time that tip.pasm finds at each instruction is the oracle's of the same run: at most this share of it elsewhere.
pcasm "$programs/tip.pasm"
for guest in ilp branchy; do
    for core in ooo inorder; do
        pcemu --core $core --param period=101 --profile oracle,tip:period=101 --format json -o r.json --max-insts 500k \
            ./$guest > out
        jq -r --arg run "$guest, $core" '
            (.layouts[0].rows | map({key: .key.pc, value: ([.members[]] | add)}) | from_entries) as $found |
            (.time.instructions | map({key: .pc, value: .time}) | from_entries) as $exact |
            ([$found[]] | add) as $units | ([$exact[].oracle] | add) as $time |
            ([$exact | to_entries[] | (.value.oracle / $time - ($found[.key] // 0) / $units) | fabs] | add / 2) as $error
            |
            "\($run): \(if $error < 0.04 then "within 4 % of the oracle" else "error \($error)" end)",
            (if ([$exact | to_entries[] | select(($found[.key] // 0) > 0 and .value.oracle == 0)] | length) == 0
             then "  no time where there is none" else "  time where there is none" end)' r.json
    done
done
# Pairs: each adds a sample to both of its instructions, but for what is left of one at an interrupt. The estimates of
# wasted issue slots are mostly at the right instructions.
pcasm "$programs/paired.pasm"
for core in ooo inorder; do
    pcemu --core $core --param period=50 --param window=32 --format json -o r.json --max-insts 100k ./branchy > out
    jq -r --arg core $core '
        ([.paired.instructions[].samples] | add) as $samples |
        $core, .sampler, "  two samples of each pair: \($samples > 1.99 * .processed and $samples <= 2 * .processed)",
        "  useful: \(.paired.useful > 0 and .paired.useful < .paired.issue_width * .paired.progress)",
        "  misplaced: \(if .paired.error < 0.2 then "less than 20 %" else .paired.error end)"' r.json
done
pcemu --param period=50 --param window=32 --format json -o again.json --max-insts 100k --core inorder ./branchy > out
cmp r.json again.json && echo "two runs are the same to the byte"
# Another sampler than the program's; what it does not supply, and options that it cannot have.
pcasm "$programs/edge.pasm"
pcemu --sampler profileme:period=31 --format json -o r.json --max-insts 100k ./branchy > out
jq -r '.sampler, (.delivered > 10 and .delivered < .offered and .offered < .instructions)' r.json
pcemu --sampler retire --format json -o r.json --max-insts 100k ./branchy > out
jq -r '.sampler, .delivered > 1000' r.json
for sampler in tip tipp "" retire:period=1 profileme:perod=1 profileme:period=0 profileme:window=5 \
               profileme:pair:window=20000 profileme:pair:opportunity profileme:pair:pair profileme:period profileme:pair=1; do
    try pcemu --sampler "$sampler" ./branchy
done
pcasm "$programs/paired.pasm"
try pcemu --sampler profileme ./branchy
try pcemu --param period=1 ./branchy
try pcemu --param period=-1 ./branchy
try pcemu --param window=20000 ./branchy
try pcemu --core functional --sampler tip ./branchy
try pcemu --no-program --sampler tip ./branchy
try pcemu --core samples:- --sampler tip
# The report has the parameters in force: none of the sampler that was replaced, which --param cannot set either.
pcemu --sampler profileme:pair:period=50 --format json -o r.json --max-insts 100k ./branchy > out
jq -c .sampler,.parameters r.json
try pcemu --sampler profileme:pair --param period=50 ./branchy
# The sampler cannot change while it is attached to a core: the debugger refuses another program's.
printf '.sampler tip\n.filter class load\n.entry load go\ngo: done\n' > other.pasm
printf 'reload other.pasm\ncontinue\n' > script
pcemu -o report --max-insts 1k -x - ./branchy < script 2>&1 | grep -v ^position
# Without a core the fields come from the file, whatever sampler the program names; `lost` is the buffer's own.
printf '.sampler tip\n.filter class load\n.entry load go\n.base t = 0\n.index i, width 4\n' > lost.pasm
printf '.slot t[16] { n : 16, lost : 16 }\n' >> lost.pasm
printf 'go: add t[i].n, tipcycles\nadd t[i].lost, lost | done\n' >> lost.pasm
pcasm lost.pasm -o lost.pc
printf '@5 load pc=0x1000 tipcycles=3 x400\nload pc=0x1000 tipcycles=1000 lost=0\n' |
    pcemu --core samples:- --program lost.pc --format json -o r.json
jq -r '.dropped > 0, (.layouts[0].rows[0].members | .n > 1000, .lost)' r.json
# The sampler named supplies all fields of the program, not only the one that the other lacks.
pcasm "$programs/paired.pasm"
try pcemu --sampler tip ./branchy
