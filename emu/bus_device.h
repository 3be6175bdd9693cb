/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Co-processor side of the host access bus. Accesses through these functions do not reach the watch port. */
#ifndef EMU_BUS_DEVICE_H
#define EMU_BUS_DEVICE_H

#include "isa/bus.h"

struct cop;
/* ST_RANGE for an access that bus_locate refuses, and for a write of a value that the register cannot have. */
enum status bus_device_read(const struct cop *c, uint32_t address, uint64_t *value);
enum status bus_device_write(struct cop *c, uint32_t address, uint64_t value);

#endif
