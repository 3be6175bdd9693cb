# SPDX-License-Identifier: GPL-3.0-or-later
# gcc: the compiler proper of gcc 14, at -O2, over a header-only library
# packages: cpp-14-riscv64-linux-gnu libgcc-14-dev libisl23 libgmp10 libmpc3 libmpfr6 libzstd1 zlib1g libc6 libc6-dev
# packages also: linux-libc-dev libstb-dev
prepare() {
    printf '#define STB_SPRINTF_IMPLEMENTATION\n#include <stb/stb_sprintf.h>\n' > in.c
}
run() {
    $RUN ../root/usr/libexec/gcc/riscv64-linux-gnu/14/cc1 -quiet -O2 -march=rv64gc -mabi=lp64d -nostdinc -isystem \
        /usr/include \
        -isystem /usr/include/riscv64-linux-gnu -isystem /usr/lib/gcc/riscv64-linux-gnu/14/include in.c -o out.s
}
