dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl m4: recursive macros, arithmetic and text
define(`loop', `ifelse(eval($1 < $2), 1, `$3($1)loop(incr($1), $2, `$3')')')dnl
define(`fib', `ifelse(eval($1 < 2), 1, `$1', `eval(fib(eval($1 - 1)) + fib(eval($1 - 2)))')')dnl
define(`row', `define(`cell_$1', eval($1 * $1 % 97))translit(format(`%05d', cell_$1), `0123456789', `abcdefghij') ')dnl
fib(15)
loop(0, 900, `row')
define(`reverse', `ifelse(len($1), 0, , `reverse(substr($1, 1))substr($1, 0, 1)')')dnl
loop(0, 60, `reverse(`abcdefghijklmnopqrstuvwxyz')row')
