# SPDX-License-Identifier: GPL-3.0-or-later
# Basic-block vectors from a list of executed instructions, as pcemu --bbv writes them. core-model/riscv/blocks.h has
# the definition of a block.
#   awk -v interval=N -f vectors.awk LISTING LOG
# LISTING: the output of objdump -d -M no-aliases. LOG: the log of qemu-riscv64 -singlestep -d exec,nochain.
function number(hex,    n, i) {
    n = 0
    for (i = 1; i <= length(hex); i++)
        n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return n
}
function page(address) { return int(address / 4096) }
function end_interval(    i, text) {
    text = "T"
    for (i = 1; i <= blocks; i++)
        if (i in count)
            text = text (text == "T" ? "" : " ") ":" i ":" count[i]
    print text
    split("", count)
}
BEGIN { print "# basic-block vectors of pcemu: interval " interval }
NR == FNR {
    if ($1 ~ /^[0-9a-f]+:$/ && $3 ~ /^(c\.)?(b[a-z]+|j|jal|jr|jalr|ecall|ebreak|fence\.i)$/)
        ends[number(substr($1, 1, length($1) - 1))] = 1
    next
}
/^Trace/ {
    split($4, part, "/")
    sub(/^0+/, "", part[2])
    pc = number(part[2])
    begins = ended || length_so_far == 64 || page(pc) != page(head)
    if (n != 0 && n % interval == 0) {
        end_interval()
        if (begins)
            printf "# end 0x%x %d 0\n", pc, executions[pc] + 1
        else
            printf "# end 0x%x %d %d\n", head, executions[head], length_so_far
    }
    if (begins) {
        head = pc
        if (!(head in id)) {
            id[head] = ++blocks
            first[blocks] = head
        }
        executions[head]++
        length_so_far = 0
    }
    length_so_far++
    size[head] = length_so_far
    count[id[head]]++
    ended = pc in ends
    n++
}
END {
    end_interval()
    for (i = 1; i <= blocks; i++)
        printf "# block %d 0x%x %d %d\n", i, first[i], size[first[i]], executions[first[i]]
}
