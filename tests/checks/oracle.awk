# SPDX-License-Identifier: GPL-3.0-or-later
# The Oracle of the TIP paper (section 2.2) a second time, from the text of --trace fetch,map,retire,squash alone, for
# the out-of-order core. It prints, by instruction, what it gives to it of each cycle, in 1/840 cycles: "pc execute
# mispredict flush waiting", where waiting is every stall and a drained ROB.
# usage: awk -v frontend=N -f oracle.awk     frontend: cycles from an instruction's fetch to its earliest ROB entry
# The line "end N" behind the trace is the length of the run.
#
# An instruction is in the ROB from the cycle behind its `map` to its `retire` or `squash`. In a cycle
#   - in which n retire, each gets 1/n;
#   - else the oldest of the ROB gets it, also where it is squashed in this cycle: its exception fires;
#   - else, the ROB being empty, the instruction that is renamed in this cycle, or could have been by its fetch and is
#     not, as it waits for the store queue, gets it;
#   - else the last retired instruction, if it was mispredicted or flushes, or the one whose exception has fired;
#   - else the next instruction that gets a cycle by the third rule: the ROB has drained. At the run's end: none, 0.
# Not in these lines, and not in the runs compared here: handlers of interrupts and page faults.
# `fetch` matters behind an offender alone: without, the wait of a store for the store queue looks like the offender's.

function give(pc, state, time) {
    got[pc, state] += time
    known[pc] = 1
}

# The n cycles that follow cycle `last`, in which no instruction passes a stage.
function idle_cycles(n,    waits) {
    if (n <= 0)
        return
    if (rob_head < rob_tail) {
        give(pc_of[rob[rob_head]], "waiting", n * 840)
        return
    }
    if (front_head < front_tail) { # the last of these cycles may be a wait before the ROB
        waits = last + n + 1 - (fetched[front[front_head]] + frontend)
        waits = waits < 0 ? 0 : waits > n ? n : waits
    }
    empty(n - waits)
    if (waits > 0)
        enters(front[front_head], waits)
}

function empty(n) {
    if (offence != "")
        give(offender, offence, n * 840)
    else
        drained += n
}

function enters(seq, n) {
    give(pc_of[seq], "waiting", (n + drained) * 840)
    drained = 0
}

# The cycle whose lines have been read.
function account(    i) {
    if (retired > 0) {
        for (i = 0; i < retired; i++)
            give(pc_of[retires[i]], "execute", 840 / retired)
    } else if (head_before != "")
        give(pc_of[head_before], "waiting", 840)
    else if (first_mapped != "")
        enters(first_mapped, 1)
    else if (first_fetched != "" && fetched[first_fetched] + frontend <= now)
        enters(first_fetched, 1)
    else
        empty(1)
}

# Begins cycle `cycle`: the oldest in the ROB, and before it, as the cycle begins.
function begin(cycle) {
    if (now != "") {
        account()
        last = now
    }
    idle_cycles(cycle - last - 1)
    now = cycle
    retired = 0
    first_mapped = ""
    head_before = rob_head < rob_tail ? rob[rob_head] : ""
    first_fetched = front_head < front_tail ? front[front_head] : ""
}

BEGIN {
    last = -1
    rob_head = rob_tail = front_head = front_tail = drained = 0
}

$1 == "end" {
    cycles = $2
    next
}

{
    seq = $3
    sub(/:/, "", seq)
    seq += 0
    if (now == "" || $1 + 0 != now)
        begin($1 + 0)
}

$2 == "fetch" {
    pc_of[seq] = $4
    fetched[seq] = now
    front[front_tail++] = seq
}

$2 == "map" {
    front_head++
    rob[rob_tail++] = seq
    if (first_mapped == "")
        first_mapped = seq
}

$2 == "retire" {
    rob_head++
    retires[retired++] = seq
    events = $0
    sub(/[^|]*/, "", events)
    offender = pc_of[seq]
    offence = events ~ / flushes( |$)/ ? "flush" : events ~ / mispredicted( |$)/ ? "mispredict" : ""
}

# The youngest comes first. The oldest of the ROB: it is the one whose exception has fired.
$2 == "squash" {
    if (seq == head_before && retired == 0 && ($NF == "exception" || $NF == "ordering")) {
        offender = pc_of[seq]
        offence = "flush"
    }
    while (front_tail > front_head && front[front_tail - 1] >= seq)
        front_tail--
    while (rob_tail > rob_head && rob[rob_tail - 1] >= seq)
        rob_tail--
}

END {
    begin(cycles)
    if (drained > 0)
        give("0", "waiting", drained * 840)
    for (pc in known)
        printf "%s %d %d %d %d\n", pc, got[pc, "execute"], got[pc, "mispredict"], got[pc, "flush"], got[pc, "waiting"]
}
