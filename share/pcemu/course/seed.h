/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number of this copy of the course, 1 to 9999: the guests' data and sizes depend on it, and so do the answers. */
#define SEED 1
