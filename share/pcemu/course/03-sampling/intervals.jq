# SPDX-License-Identifier: GPL-3.0-or-later
# Of the ten instructions with most time, and each profiler with a period of 100: function, offset in bytes, profiler,
# exact time, lower and upper end of the interval, in per cent of the cycles of the run.
(.time.cycles * .time.per_cycle / 100) as $percent
| .time.instructions[:10][] | . as $row | .interval | to_entries[] | select(.key | contains("period=100:"))
| [$row.function, $row.offset, .key, $row.time.oracle / $percent, (.value[] / $percent)] | @tsv
