# SPDX-License-Identifier: GPL-3.0-or-later
# What each metric predicts for each instruction and cause of a run, as shares of its cycles: lines of address, causes,
# and the metrics in the order of $names, which commas separate; "-": the metric says nothing of this cause, or is not
# of this core. $dcpi: the culprits of `pcprof summary` of another run.
. as $all
| (.time.cycles // .topdown.cycles) as $cycles
| .topdown.width as $width
| (.time.per_cycle // 840) as $unit
| (reduce .time.instructions[] as $i ({}; .[$i.pc] = $i)) as $time
| (reduce .topdown.instructions[] as $i ({}; .[$i.pc] = $i)) as $topdown
| .topdown_issue as $issue | .topdown_commit as $commit | (.graphs == null) as $in_order
| (reduce (.topdown_issue // {instructions: []}).instructions[] as $i ({}; .[$i.pc] = $i)) as $at_issue
| (reduce (.topdown_commit // {instructions: []}).instructions[] as $i ({}; .[$i.pc] = $i)) as $at_commit
| ($dcpi[0].culprits | reduce .[] as $c ({}; .[$c.image + ":" + $c.culprit + ":" + $c.cause] += $c.share)) as $culprits
| (.guest | split("/") | last) as $program
| (reduce .counts.instructions[] as $i ({}; .[$i.pc] = $i)) as $counts
| (reduce .pics.stacks[] as $s ({}; .[$s.pc] += [$s])) as $pics
| (reduce (.graphs // {instructions: []}).instructions[] as $g ({}; .[$g.pc + ":" + $g.removed] += [$g])) as $graph
# The components of a cycle stack that have the events of the cause.
| def component($pc; $pattern; $profiler):
    [$pics[$pc][]? | select(.signature | test($pattern)) | .time[$profiler] // 0] | add // 0 | . / $unit / $cycles;
def counted($pc; $profiler; $member):
    ([$counts[$pc].profiles[]? | select(.profiler == $profiler)][0].counts[$member] // 0) / $cycles;
def estimated($key; $profiler): [$graph[$key][]? | select(.profiler == $profiler) | .gain][0] // 0;
# The slots that a stage loses to the instruction and the leaves of top-down analysis.
def lost($stage; $rows; $pc; $leaves):
    if $stage == null then "-"
    else [($rows[$pc].lost // {}) | to_entries[] | select(.key | test($leaves)) | .value] | add // 0
        | . / $stage.width / $cycles end;
# The stalls that the instruction is a culprit of; those of cache and TLB can be the same ones.
def guilty($pc; $causes):
    ($counts[$pc] | (.library // $program) + ":" + (.address // .pc)) as $place
    | [$causes | split(" ")[] | split("|") | map($culprits[$place + ":" + .] // 0) | max] | add // 0;
def graphed($value): if $in_order then "-" else $value end;
def row($pc; $cause; $pattern; $level; $penalty; $leaves; $stalls):
    ($time[$pc].time // {}) as $t
    | ([$counts[$pc].profiles[]? | select(.profiler == "counts:slots")][0]) as $exact
    | ($exact.counts // {}) as $c
    | {pc: $pc, cause: $cause,
       oracle: (($t.oracle // 0) / $unit / $cycles), tip: (($t["tip:period=53"] // 0) / $unit / $cycles),
       nci: (($t["nci:period=53"] // 0) / $unit / $cycles),
       "retire-delay": graphed(($t["retire-delay:period=53"] // 0) / $unit / $cycles),
       "tea-oracle": (if $pattern == null then "-" else component($pc; $pattern; "tea-oracle") end),
       tea: (if $pattern == null then "-" else component($pc; $pattern; "tea:period=53") end),
       "top-down": (($topdown[$pc].level1[$level] // 0) / $width / $cycles),
       latency: counted($pc; "counts:slots"; "in-progress"),
       "latency-sampled": counted($pc; "profileme:period=53"; "in-progress"),
       wasted: (($exact.wasted_slots // 0) / $width / $cycles),
       penalty: (if $penalty == null then "-" else counted($pc; "counts:slots"; $penalty) end),
       "penalty-sampled": (if $penalty == null then "-" else counted($pc; "profileme:period=53"; $penalty) end),
       pairs: (if $penalty != "miss-cycles" then "-"
        else counted($pc; "counts:slots"; $penalty)
            / (1 + (($c["executing-while-executing"] // 0) / ([$c["issue-done"] // 0, 1] | max))) end),
       graph: graphed(estimated($pc + ":" + $cause; "graph")),
       "graph-5": graphed(estimated($pc + ":" + $cause; "graph:period=20000")),
       "graph-1": graphed(estimated($pc + ":" + $cause; "graph:period=100000")),
       "stack-dispatch": lost($all.topdown; $topdown; $pc; $leaves),
       "stack-issue": lost($issue; $at_issue; $pc; $leaves), "stack-commit": lost($commit; $at_commit; $pc; $leaves),
       dcpi: guilty($pc; $stalls),
       critical: graphed([$graph[$pc + ":" + $cause][]? | select(.profiler == "graph") | .delay][0] // 0)};
def is_long($assembly):
    $assembly | test("^(mul|div|rem|f(add|sub|mul|div|sqrt|n?m|min|max|cvt|mv|eq|lt|le|class|sgnj))");
# The instructions with the cause: mispredicted, missed, or executed for more than a cycle.
[$counts | to_entries[] | .key as $pc
    | ([.value.profiles[] | select(.profiler == "counts:slots")][0].counts // {}) as $c
    | (if $in_order then is_long(.value.assembly // "") else $graph | has($pc + ":latency") end) as $long
    | (if $in_order then ($c["icache-wait"] // 0) + ($c["itlb-wait"] // 0) > 0
       else $graph | has($pc + ":icache") end) as $late
    | (if ($c["mispredict-cycles"] // 0) > 0 then
           row($pc; "branch"; "FL-MB"; "bad_speculation"; "mispredict-cycles"; "^bad_speculation.mispredict";
               "mispredict") else empty end),
      (if ($c.loads // 0) > 0 and (($c["miss-cycles"] // 0) > 0 or ($graph | has($pc + ":dtlb+l1d"))) then
           row($pc; "dtlb+l1d"; "ST-"; "backend_bound"; "miss-cycles";
               "memory.addr.(tlb|page)|memory.(data|ftq).(l2|l3|hitm|external)"; "dcache|dtlb") else empty end),
      (if $long then row($pc; "latency"; null; "backend_bound"; null; "core.(ftq.)?(divider|fp|unit)";
               "mul fdiv operand-a operand-b result unit") else empty end),
      (if $late then row($pc; "icache"; "DR-"; "frontend_bound"; null; "frontend_bound.latency.(addr|data)";
               "icache|itlb") else empty end)]
| .[] | . as $row
| [.pc, .cause, ($names | split(",")[] as $n | if $row | has($n) then $row[$n] else error("no metric " + $n) end)]
| @tsv
