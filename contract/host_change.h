/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CONTRACT_HOST_CHANGE_H
#define CONTRACT_HOST_CHANGE_H

/* The rows of host_change.def. */
enum host_change {
#define HOST_CHANGE(symbol, key, label) HOST_##symbol,
#include "contract/host_change.def"
    HOST_CHANGES
};

#endif
