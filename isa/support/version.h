/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The version of all tools: the one place that states it. --version, the manual pages and pcemu.pc read it from here;
 * CHANGELOG.md describes each version. Formats of files have version numbers of their own. */
#ifndef ISA_SUPPORT_VERSION_H
#define ISA_SUPPORT_VERSION_H

#define TOOLS_VERSION "0.1.0"

#endif
