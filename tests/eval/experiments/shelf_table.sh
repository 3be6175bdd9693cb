# SPDX-License-Identifier: GPL-3.0-or-later
# The shipped programs and their workloads. Sourced, with REAL, SCALE and sources in the environment; t_table.sh has
# the workloads' sizes. SHELF_PROGRAMS and SHELF_WORKLOADS select subsets.
. "$here/t_table.sh"
# Start of the regions of Debian's programs, in per cent of their instructions. Each is run about 200 times, so only
# few instructions are skipped.
begin=10
shelf_real='gcc perl bzip2 parser mcf gzip'
shelf_own='compiler interp compress bitboard hashjoin sort branchy invariant spmv stores'
if [ "$REAL" = yes ]; then shelf_workloads="$shelf_real $shelf_own"; else shelf_workloads=$shelf_own; fi
shelf_workloads=${SHELF_WORKLOADS:-$shelf_workloads}
shelf_programs=${SHELF_PROGRAMS:-$(cd "$here/../../../programs" && echo *.pasm | sed 's/\.pasm//g')}

# For the page.
page_programs=$shelf_workloads page_run=${shelf_programs%% *}.base1
