# SPDX-License-Identifier: GPL-3.0-or-later
# packages: mold binutils-riscv64-linux-gnu
# threads: mold
# cores: functional ooo-4
printf '.globl _start\n_start: li a0, 7\ncall f\nli a7, 93\necall\n' > a.s; printf '.globl f\nf: addi a0, a0, 35\nret\n' > b.s
P=$BIN/riscv64-linux-gnu-; for f in a b; do $RUN ${P}as -o $f.o $f.s; done
$RUN $BIN/mold --threads --thread-count=4 -m elf64lriscv -o m a.o b.o; $RUN ./m; echo $?
$RUN ${P}ld -o l a.o b.o; $RUN ./l; echo $?; $RUN ${P}objdump -d l | tail -n 9; $RUN ${P}nm l; $RUN ${P}readelf -h l | head -n 8
$RUN ${P}ar rc lib.a b.o; $RUN ${P}strip l; $RUN ${P}size l; rm lib.a
