# The pipeline log in gem5's format: the cycles of the stages are those of the event trace, instructions and squashes
# those of the Kanata log. What is refused.
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
cp "$workloads/sort" .
for core in ooo inorder; do
    run() { pcemu --no-program --core $core --max-insts 60k "$@" ./sort 8 > out 2> err; }
    run --kanata log --kanata-format o3pipeview --kanata-window insts:20000-30000
    run --kanata kanata --kanata-window insts:20000-30000
    run --trace fetch,map,issue,done,retire,squash --trace-file trace --trace-window insts:20000-30000
    awk -F : '$2 == "retire" { squashed = $3 == 0; n[squashed]++ } END { print n[0], n[1] }' log > found
    awk -F '\t' '$1 == "R" { n[$4]++ } END { print n[0], n[1] }' kanata | cmp - found && echo "$core: instructions as in the Kanata log"
    # Of each instruction: sequence number, pc, and the first tick of fetch, rename, issue, complete and retire.
    awk -F : '$2 == "fetch" { seq = $6; pc = substr($4, 3); sub(/^0*/, "", pc); t["fetch"] = $3; next } { t[$2] = $3 }
        $2 == "retire" { print seq, pc, t["fetch"], t["rename"], t["issue"], t["complete"], t["retire"] }' log | sort > found
    awk '{ sub(":", "", $3); at[$3, $2] = 1000 * $1; pc[$3] = $4 } $2 == "retire" || $2 == "squash" { s = $3
        print s, pc[s], at[s, "fetch"] + 0, at[s, "map"] + 0, at[s, "issue"] + 0, at[s, "done"] + 0, at[s, "retire"] + 0 }' trace | sort > all
    # A retired instruction that does not issue, or is never done, is in the stage when the next one begins.
    awk '$7 != 0 { if ($6 == 0) $6 = $7; if ($5 == 0) $5 = $6; if ($4 == 0) $4 = $5 } { print }' all | cmp - found && echo "$core: stages as in the trace"
    [ "$(grep -c . found)" -gt 5000 ] || echo "$core: few instructions"
    grep -q ' 0$' found || echo "$core: no squashed instruction"
    # The stages of an instruction follow each other; 0 is behind the last one.
    awk -F : '$2 == "fetch" { last = $3; ended = 0; next } $3 == 0 { ended = 1; next }
        ended || $3 < last { print "out of order: " $0; exit } { last = $3 }' log
done
grep -B 6 -m 1 'retire:[1-9]' log | sed 's/[0-9]*000\>/CYCLE/'
try pcemu --no-program --kanata-format o3pipeview ./sort 8
try pcemu --no-program --kanata log --kanata-format gem5 ./sort 8
