/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The version of all tools, used by --version, the manual pages and pcemu.pc; CHANGELOG.md describes each version. File
 * formats have separate version numbers. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define TOOLS_VERSION "0.2.0"

#endif
