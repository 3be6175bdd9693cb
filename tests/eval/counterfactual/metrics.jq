# SPDX-License-Identifier: GPL-3.0-or-later
# What each metric predicts for each instruction and cause of a run, as shares of its cycles: lines of address, causes,
# and the metrics in the order of `names`; "-": the metric says nothing of this cause.
def names: ["oracle", "tip", "nci", "retire-delay", "tea-oracle", "tea", "top-down", "latency", "latency-sampled",
    "wasted", "penalty", "penalty-sampled", "pairs", "graph", "graph-5", "graph-1"];
def share($cycles): if . == null then null else . / $cycles end;

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
    | [$pc, $cause,
       (($t.oracle // 0) / $unit / $cycles), (($t["tip:period=53"] // 0) / $unit / $cycles),
       (($t["nci:period=53"] // 0) / $unit / $cycles), (($t["retire-delay:period=53"] // 0) / $unit / $cycles),
       (if $pattern == null then "-" else component($pc; $pattern; "tea-oracle") end),
       (if $pattern == null then "-" else component($pc; $pattern; "tea:period=53") end),
       (($topdown[$pc].level1[$level] // 0) / $width / $cycles),
       counted($pc; "counts:slots"; "in-progress"), counted($pc; "profileme:period=53"; "in-progress"),
       (($exact.wasted_slots // 0) / $width / $cycles),
       (if $penalty == null then "-" else counted($pc; "counts:slots"; $penalty) end),
       (if $penalty == null then "-" else counted($pc; "profileme:period=53"; $penalty) end),
       (if $penalty != "miss-cycles" then "-"
        else counted($pc; "counts:slots"; $penalty)
            / (1 + (($c["executing-while-executing"] // 0) / ([$c["issue-done"] // 0, 1] | max))) end),
       estimated($pc + ":" + $cause; "graph"), estimated($pc + ":" + $cause; "graph:period=20000"),
       estimated($pc + ":" + $cause; "graph:period=100000")];
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
| .[] | @tsv
