# SPDX-License-Identifier: GPL-3.0-or-later
# Functions for the reports in JSON, which the checks share.

# A number as the tools print addresses: 0x and hexadecimal digits.
def hex: "0x" + ([recurse(if . >= 16 then . / 16 | floor else empty end) % 16] | reverse
    | map("0123456789abcdef"[.:. + 1]) | add);

# The place of a row of instructions.
def place: "\(.function)+\(.offset | hex)";

# Of the lines of a report in JSON Lines: the rows of a table, and the report itself.
def rows($table): map(select(.table == $table).row);
def report: rows("report")[0];

# The place of the key `pc` of a row of a profiling program.
def key_place: .key | "\(.function)+\(.offset | hex)";
