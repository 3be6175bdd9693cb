# SPDX-License-Identifier: GPL-3.0-or-later
# What --profile unwind reports, computed from the text of --trace retire alone, for a guest of one thread without
# signals, longjmp and tail calls through pointers. It prints a line for each method: "RECORDS COMPLETE CALLER CALLS",
# in per cent of the cycles, or of the calls; RECORDS 0: frame pointers.
# usage: awk -v cycles=N -f unwind.awk TRACE TRACE     cycles: length of the run
# The first reading finds the functions that set up frames.

# The cycles since the last call or return, with the stack as it was until then.
function settle(now,    k, n, right) {
    n = now - since
    since = now
    all += n
    sum += n * depth
    for (k in valid) {
        for (right = 0; right < valid[k] && right < depth && record[top - right] == number[depth - right];)
            right++
        add(k, n, right, valid[k] == depth)
    }
    add(0, n, depth > 0 && has_frame[entry[depth]] ? walk[depth] : 0, 1)
}

function add(method, n, right, ends) {
    complete[method] += right == depth && ends ? n : 0
    caller[method] += right > 0 || depth == 0 ? n : 0
    calls[method] += n * right
}

FNR == 1 {
    reading++
    depth = top = numbers = 0
    sp = fp = called = ""
    for (k = 16; k <= 256; k *= 2)
        valid[k] = 0
}

{
    pc = $4
    name = $5
    if (called) {
        entry[depth] = pc
        called = 0
    }
}

reading == 2 && (name == "ret" || / -> ra=/ && name ~ /^jalr?$/) {
    settle($1)
}

name == "ret" && depth > 0 {
    depth--
    top--
    for (k in valid)
        valid[k] -= valid[k] > 0
}

/ -> ra=/ && name ~ /^jalr?$/ {
    number[++depth] = record[++top] = ++numbers
    called = 1
    cfa[depth] = sp
    walk[depth] = 1 + (depth > 1 && fp == cfa[depth - 1] && has_frame[entry[depth - 1]] ? walk[depth - 1] : 0)
    for (k in valid)
        valid[k] += valid[k] < k + 0
}

match($0, /-> sp=[0-9a-fx]+/) { sp = substr($0, RSTART + 6, RLENGTH - 6) }
match($0, /-> s0=[0-9a-fx]+/) {
    fp = substr($0, RSTART + 6, RLENGTH - 6)
    if (name == "add" && $6 ~ /^s0,sp,[0-9]/ && depth > 0 && fp == cfa[depth])
        has_frame[entry[depth]] = 1
}

END {
    settle(cycles)
    for (k in complete)
        printf "%d %.4f %.4f %.4f\n", k, 100 * complete[k] / all, 100 * caller[k] / all, 100 * calls[k] / sum
}
