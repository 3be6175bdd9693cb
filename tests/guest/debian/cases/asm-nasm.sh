# SPDX-License-Identifier: GPL-3.0-or-later
# packages: nasm
# cores: functional ooo check
printf 'bits 64\nglobal f\nf: mov rax, 7\nadd rax, [rel d]\nret\nd: dq 3\n' > a.asm; $RUN $BIN/nasm -f bin -o a.bin a.asm; od -An -tx1 a.bin; $RUN $BIN/ndisasm -b64 a.bin
