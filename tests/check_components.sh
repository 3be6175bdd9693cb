#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The architecture as a test: which component may include which. Only pcemu's main files join them; the pipeline knows no profiler.
set -eu
bad=0

# refuse FILES PATTERN REASON: no file may include a header of that pattern.
refuse() {
    # shellcheck disable=SC2086 # a list of files, meant to be split
    if grep -nE "^#include \"$2" $1 /dev/null; then
        echo "  ^ $3" >&2
        bad=1
    fi
}

in_component() { find "$1" -name '*.[chly]' ! -path 'emu/pcemu/*' | sort; }

refuse "$(in_component isa)" '(asm|emu|host|core-model|tests)/' 'isa/ includes isa/ alone'
refuse "$(in_component asm)" '(emu|host|core-model|tests)/' 'asm/ includes isa/ and asm/'
refuse "$(in_component emu)" '(asm|host|core-model|tests)/' 'emu/ includes isa/ and emu/'
refuse "$(in_component host)" '(asm|emu|core-model|tests)/' 'host/ includes isa/ and host/'
refuse "$(in_component core-model)" '(asm|emu|host|tests)/' 'core-model/ includes isa/ and core-model/'
for stage in pipe inorder mem bpred riscv linux; do
    refuse "$(in_component core-model/$stage)" 'core-model/prof/' 'a profiler subscribes to probe.h; the pipeline does not know it'
done
for guest in riscv linux; do
    refuse "$(in_component core-model/$guest)" 'core-model/(pipe|inorder|mem|bpred|front)/' 'the guest does not know what times it'
done
refuse "$(in_component core-model/riscv)" 'core-model/linux/' 'instructions do not know the operating system'

# below FILE NAMES: a file of the debugger calls none of those that build on it.
below() {
    if grep -nE "\\b($2)_[a-z_]+\\(" "emu/debug/$1" /dev/null; then
        echo "  ^ emu/debug/$1 is below these (debugger.h's list)" >&2
        bad=1
    fi
}
below key.c 'machine|stops|show|past|travel|command|debug'
below machine.c 'stops|show|past|travel|command|debug'
below stops.c 'breakpoints|past|travel|command|debug'
below show.c 'past|travel|command|debug'
below past.c 'show|travel|command|debug'
below travel.c 'command|debug'

# Every file says its licence.
for f in Makefile bootstrap $(find isa asm emu host core-model programs tests -name '*.[chly]' -o -name '*.def' -o -name '*.conf' \
    -o -name '*.sh' -o -name '*.mk' -o -path 'programs/*.pasm' | sort); do
    head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || { echo "$f: no licence line" >&2; bad=1; }
done
exit $bad
