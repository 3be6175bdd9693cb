# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the ProfileMe paper's experiments. Sourced, with REAL, SCALE and sources in the environment;
# t_table.sh has their sizes.
. "$here/t_table.sh"
pm_own=${OWN_WORKLOADS:-compiler interp compress coremix hashjoin sort branchy bitboard stencil spmv}
if [ "$REAL" = yes ]; then pm_programs="$t_real $pm_own"; else pm_programs=$pm_own; fi

# For the page.
page_programs=$pm_programs page_run=counts
