#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Succeeds if the guest was compiled by Debian 12's compiler. The outputs that tests expect of guests are valid for those
# alone: others have different instructions and addresses.
# usage: expected_guest.sh ELF
exec grep -q -a 'GCC: (Debian 12\.' "$1"
