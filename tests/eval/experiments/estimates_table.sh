# SPDX-License-Identifier: GPL-3.0-or-later
# Counts beside the truth: which programs and workloads. Programs are those of the shelf but for those with a report of
# their own kind (paired, simple, value, value-paper). Sourced as shelf_table.sh is, and limited as that is by
# SHELF_PROGRAMS and SHELF_WORKLOADS.
. "$here/shelf_table.sh"
estimates_programs=$(echo "$shelf_programs" | tr ' ' '\n' | grep -vxE 'paired|simple|value|value-paper' | xargs)
# mcf is C++.
if [ "$REAL" = yes ]; then estimates_real='gcc bzip2 mcf'; else estimates_real=''; fi
estimates_workloads=${SHELF_WORKLOADS:-$estimates_real compiler interp compress bitboard sort invariant}
# Those on which it is shown that no sample is dropped.
ideal_workloads=${SHELF_WORKLOADS:-compiler interp}

# For the page.
page_programs=$estimates_workloads page_run=${estimates_programs%% *}.base1
