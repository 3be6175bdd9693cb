#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nested sampling (section 5.2 and Figures 4 and 5 of the ProfileMe paper)
. "$(dirname "$0")/lib.sh"
. "$here/pm.sh"
with_runs
passed=$(test_of test_profileme)
claim 'partners are uniform over -W to -1 and 1 to W, each pair is used twice, and is delivered when both are over (tests/unit/test_profileme.c)' \
    'uniform' "${passed:-none} tests pass" "$(all_pass "$passed")"
