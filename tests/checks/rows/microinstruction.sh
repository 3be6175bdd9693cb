# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a microinstruction'
steps='row datapath semantics page'
targets='build/tests/unit/test_cop_random'
row() { behind isa/isa.def '^DATA\(XCHG' << 'E'
DATA(XOR,  11, "xor",  RMW2, 0, "lane := lane exclusive-or B")
E
}
no_row()
{
    named DATA_XOR
    compile emu/sequencer.c isa/semantics.c
}
datapath() { behind emu/datapath.h '^        lane = old \| \(bus & ones\);$' << 'E'
        break;
    case DATA_XOR:
        lane = old ^ (bus & ones);
E
}
no_datapath()
{
    named 'emu/datapath.h'
    compile emu/sequencer.c
}
semantics()
{
    before isa/semantics.c '^    case DATA_INC:$' << 'E'
    case DATA_XOR:
        return lane ^ (b & most);
E
}
no_semantics()
{
    named isa/semantics.c
    compile isa/semantics.c
}
page() { generated docs/isa.md; }
no_page()
{
    named '`xor`'
    pages
}
works()
{
    cat > xor.pasm << 'P'
        .program xor_lane
        .base   rows = 0
        .index  i, width 1
        .filter class load
        .entry  load go
        .slot   rows[2] { key : hex, x : 32 hex }
go:     xor     rows[i].x, result32 | done
P
    pcasm -o xor.pc xor.pasm
    pcdis xor.pc > back
    says xor back
    printf 'load result=%s\n' 0xff 0x0f > samples
    echo 'set data[0] = 0
continue
data 0 1' | pcemu --program xor.pc --core samples:samples -x - > out 2>&1
    says 0x00000000000000f0 out
    COP_RANDOM_WORDS=1 CK_VERBOSITY=minimal "$full/build/tests/unit/test_cop_random"
}
