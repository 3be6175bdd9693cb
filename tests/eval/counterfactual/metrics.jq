# SPDX-License-Identifier: GPL-3.0-or-later
# What each metric predicts for each instruction and cause of a run, as shares of its cycles: lines of address, causes,
# and the metrics in the order of $names, which commas separate; "-": the metric says nothing of this cause.
. as $all
| (.time.cycles // .topdown.cycles) as $cycles
| .topdown.width as $width
| (.time.per_cycle // 840) as $unit
| (reduce .time.instructions[] as $i ({}; .[$i.pc] = $i)) as $time
| (reduce .topdown.instructions[] as $i ({}; .[$i.pc] = $i)) as $topdown
| (reduce .counts.instructions[] as $i ({}; .[$i.pc] = $i)) as $counts
| (reduce .pics.stacks[] as $s ({}; .[$s.pc] += [$s])) as $pics
| (reduce .graphs.instructions[] as $g ({}; .[$g.pc + ":" + $g.removed] += [$g])) as $graph
# The components of a cycle stack that have the events of the cause.
| def component($pc; $pattern; $profiler):
    [$pics[$pc][]? | select(.signature | test($pattern)) | .time[$profiler] // 0] | add // 0 | . / $unit / $cycles;
def counted($pc; $profiler; $member):
    ([$counts[$pc].profiles[]? | select(.profiler == $profiler)][0].counts[$member] // 0) / $cycles;
def estimated($key; $profiler): [$graph[$key][]? | select(.profiler == $profiler) | .gain][0] // 0;
def row($pc; $cause; $pattern; $level; $penalty):
    ($time[$pc].time // {}) as $t
    | ([$counts[$pc].profiles[]? | select(.profiler == "counts:slots")][0]) as $exact
    | ($exact.counts // {}) as $c
    | {pc: $pc, cause: $cause,
       oracle: (($t.oracle // 0) / $unit / $cycles), tip: (($t["tip:period=53"] // 0) / $unit / $cycles),
       nci: (($t["nci:period=53"] // 0) / $unit / $cycles),
       "retire-delay": (($t["retire-delay:period=53"] // 0) / $unit / $cycles),
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
       graph: estimated($pc + ":" + $cause; "graph"), "graph-5": estimated($pc + ":" + $cause; "graph:period=20000"),
       "graph-1": estimated($pc + ":" + $cause; "graph:period=100000")};
# The instructions with the cause: mispredicted, missed, or executed for more than a cycle.
[$counts | to_entries[] | .key as $pc
    | ([.value.profiles[] | select(.profiler == "counts:slots")][0].counts // {}) as $c
    | ($graph | has($pc + ":latency")) as $long
    | (if ($c["mispredict-cycles"] // 0) > 0 then
           row($pc; "branch"; "FL-MB"; "bad_speculation"; "mispredict-cycles") else empty end),
      (if ($c.loads // 0) > 0 and (($c["miss-cycles"] // 0) > 0 or ($graph | has($pc + ":dtlb+l1d"))) then
           row($pc; "dtlb+l1d"; "ST-"; "backend_bound"; "miss-cycles") else empty end),
      (if $long then row($pc; "latency"; null; "backend_bound"; null) else empty end),
      (if ($graph | has($pc + ":icache")) then row($pc; "icache"; "DR-"; "frontend_bound"; null) else empty end)]
| .[] | . as $row
| [.pc, .cause, ($names | split(",")[] as $n | if $row | has($n) then $row[$n] else error("no metric " + $n) end)]
| @tsv
