# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the DCPI paper's experiments. Sourced, with REAL, SCALE and sources in the environment; t_table.sh has
# their sizes.
. "$here/t_table.sh"
d_own=${OWN_WORKLOADS:-compiler interp compress coremix hashjoin sort branchy stencil spmv triad}
if [ "$REAL" = yes ]; then d_programs="$t_real $d_own"; else d_programs=$d_own; fi

# For the page.
page_programs=$d_programs page_run=base
