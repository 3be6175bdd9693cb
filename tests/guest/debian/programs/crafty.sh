# SPDX-License-Identifier: GPL-3.0-or-later
# crafty: HoiChess, whose board is rotated bitboards of 64 bits too, looks for a move
# packages: hoichess libstdc++6 libgcc-s1 libc6
prepare() {
    printf 'setboard r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9\nsd 6\ngo\nquit\n' > commands
}
run() {
    $RUN ../root/usr/games/hoichess -x < commands
}
