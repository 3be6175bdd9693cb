# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the shares of an estimate with those of the full run: $exact has its report, $truth its statistics. Prints
#   rows NAME SEED PROFILER KIND SIZE ROWS KNOWN HOLD ERROR HALF    of a kind of row and size of share: rows, those with
#                                    an interval, intervals that hold; sums of errors and half widths in per cent
#   unseen NAME SEED PROFILER ESTIMATE TRUTH    the share, in per cent, at instructions in no unit
#   row NAME SEED KIND ROW TRUTH ESTIMATE LOW HIGH    the ten hottest of the exact profile, and the cycles by cause
# Code without a function's name is left out, because reports name it differently.
def size: if . >= 0.05 then "above 5 %" elif . >= 0.01 then "1 to 5 %" elif . >= 0.001 then "0.1 to 1 %"
    else "below 0.1 %" end;
def rounded: (. * 1e5 | round) / 1e5;
$exact[0] as $e | $truth[0].core as $core |
# The time of a cycle, in the profiler's parts of a cycle.
($e.time.cycles * $e.time.per_cycle) as $all |
(reduce ($e.time.instructions[] | select(.function != null)) as $i ({};
    .[$i.function + "+" + ($i.offset | tostring)] += ($i.time.oracle // 0) / $all)) as $instructions |
(reduce ($e.time.instructions[] | select(.function != null)) as $i ({};
    .[$i.function] += ($i.time.oracle // 0) / $all)) as $functions |
($core | with_entries(select(.key | startswith("stack_")) | .key |= ltrimstr("stack_") | .value /= $core.cycles))
    as $causes |
def hexadecimal: reduce (ascii_downcase | explode[] | if . >= 97 then . - 87 else . - 48 end) as $d (0; 16 * . + $d);
def key: if .offset then .function + "+" + (.offset[3:] | hexadecimal | tostring) else .function end;
def compared($true): {key: key, share, interval, true: ($true[key] // 0)};
# Rows of each kind, with the truth.
([.profiles[] | .by as $by |
    (.instructions[] | select(.function | startswith("[") and endswith("]") | not) | compared($instructions) +
        {by: $by, kind: "instruction"}),
    (.functions[] | select(.function | startswith("[") and endswith("]") | not) | compared($functions) +
        {by: $by, kind: "function"})] +
    [.causes[] | {by: "-", kind: "cause", key: .cause, share, interval, true: $causes[.cause]}]) as $rows |
(($rows | group_by([.by, .kind, (.share | size)])[] |
    ["rows", $name, $seed, .[0].by, .[0].kind, (.[0].share | size), length, (map(select(.interval)) | length),
     (map(select(.interval and .interval[0] <= .true + 1e-12 and .true <= .interval[1] + 1e-12)) | length),
     (map(select(.interval) | .share - .true | fabs) | add // 0 | 100 * . | rounded),
     (map(select(.interval) | (.interval[1] - .interval[0]) / 2) | add // 0 | 100 * . | rounded)]),
(.profiles[] | .by as $by | [.instructions[] | {key: key, value: 1}] | from_entries | . as $seen |
    ([$instructions | to_entries[] | select($seen[.key] == null) | .value] | add // 0) as $true |
    ["unseen", $name, $seed, $by, $true]),
(.profiles[] | ["estimate", $name, $seed, .by, .unseen]),
($rows | map(select(.by == "oracle" and .kind == "instruction")) | INDEX(.key)) as $of |
($instructions | to_entries | sort_by(-.value)[:10][] |
    ["row", $name, $seed, "instruction", .key, (.value | rounded), ($of[.key].share // 0 | rounded),
     ($of[.key].interval // ["-", "-"])[] ]),
(.causes[] | select($causes[.cause] >= 0.001) |
    ["row", $name, $seed, "cause", .cause, ($causes[.cause] | rounded), (.share | rounded),
     (.interval // ["-", "-"])[]]))
| @tsv
