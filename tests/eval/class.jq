# SPDX-License-Identifier: GPL-3.0-or-later
# Class of a program from a report with an exact profile of time (TIP paper, section 4): Compute if it commits in more
# than half of the cycles; else Flush if the ROB is flushed in more than 3 %; else Stall.
[.time.stack[] | {key: .category, value: .cycles}] | from_entries as $c | (map(.value) | add) as $all
| if $c.execute > 0.5 * $all then "Compute" elif $c.mispredict + $c.flush > 0.03 * $all then "Flush" else "Stall" end
