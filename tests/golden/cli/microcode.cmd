# Profiling programs that do harm: each survives, and one line says what is wrong.
program() { printf '%b' "    .program $1\n    .filter class ${4:-load}\n$3    .entry ${4:-load} start\n$2" > $1.pasm; pcasm -o $1.pc $1.pasm; }
samples() { printf 'load pc=0x100 x3\n' | pcemu --core samples:- --program $1.pc -o - | sed -n 1,13p; }
guest() { pcemu "$@" --format json -o report.json "$workloads/sort" 8; echo "-> $?"; }
# It never finishes a sample. The guest goes on, and pcemu's exit status says that there was bad input.
program spin 'start: mov pc32 -> v0\n    mov v0 -> v1 | goto start\n'
samples spin
guest --program spin.pc
jq -c '[.fault, .processed, .partial, (.dropped > 0.9 * .delivered)]' report.json
# Or not that of one sample alone: word and sample are named. A guest's own status is not hidden.
program some 'start: mov result -> v0 | if zero goto on\n    done\non: nop\n    goto on\n' 2> /dev/null
printf '%s\n' 'load pc=0x100 result=5' '@812 load pc=0x200' load | pcemu --core samples:- --program some.pc --set cop_runaway_words=1000 -o - \
    --format json 2> err | jq -c '[paths(scalars) as $p | select($p[0] | startswith("fault")) | {($p | join(".")): getpath($p)}] | add'
cat err
printf 'int main(void) { return %s; }\n' 3 | "${RVCC:-riscv64-linux-gnu-gcc}" -static -o three -x c -
pcemu --program some.pc -o /dev/null ./three 2> err
echo "-> $?, $(grep -c 'was stopped' err) line"
# Samples behind that one are dropped for no other reason, and those before it do not stand for them.
pcasm -o hello.pc "$programs/hello.pasm"
cp "$workloads/sort" .
pcemu --program hello.pc --set cop_runaway_words=4 --top 1 -o - ./sort 8 2> /dev/null | sed -n '/^samples/,/^$/p; /^Warning/,/^$/p; /stands for/p; /^sum/,$p'
# It interrupts at each sample. The guest goes on all the same.
program each 'start: mov pc32 -> v0 | interrupt\n'
for core in ooo inorder; do
    guest --core $core --check --program each.pc 2> err
    sed 's/[0-9][0-9,]* instr/N instr/; s/[0-9,]* interrupts took 9[0-9.]* %/N interrupts took over 90 %/' err
    jq -c '[.interrupts == .processed, .processed == .delivered, .handler_share > 0.9]' report.json
    guest --core $core --check --program each.pc --set host_entry=0 --set host_exit=0 --set host_bus_read=0 --set host_bus_write=0 \
        --set interrupt_cycles=0 2> /dev/null
    jq -c '[.interrupts == .processed, .handler_cycles]' report.json
done
# Interrupts are taken so late that nearly all samples are dropped.
guest --program each.pc --set interrupt_cycles=100000
jq -c '[.interrupts > 0, .dropped > 0.9 * .delivered, .processed + .dropped == .delivered]' report.json
# A slow co-processor.
program slow 'start: inc i | if limit done\n    mov pc32 -> v0 | goto start\n' '    .index i, width 16\n'
guest --program slow.pc --set cop_clock_divide=8
jq -c '[has("fault"), .dropped > 0.9 * .delivered, .processed + .dropped == .delivered]' report.json
# The filters let nothing through: a line says so.
program nothing 'start: mov pc32 -> v0 | done\n' '' fence
samples nothing
program few 'start: mov pc32 -> v0 | done\n' '    .filter pc mask 1 match 2\n' 2> /dev/null
samples few > out
printf '%s\n' '.program none' 'start: done' '.entry load start' | pcasm -o none.pc - 2> /dev/null
samples none > out
# A word that is no microinstruction, in an image whose sum is right.
reseal() { # FILE: the CRC-32 of what begins at byte 20 goes to byte 16, low byte first as gzip has it
    tail -c +21 "$1" | gzip -c | tail -c 8 | head -c 4 | dd of="$1" bs=1 seek=16 conv=notrunc status=none
}
at=$(($(wc -c < each.pc) - 18))
for bytes in '\377\377\377\377\377\377' '\001\000\000\000\000\000'; do
    printf "$bytes" | dd of=each.pc bs=1 seek=$at conv=notrunc status=none
    reseal each.pc
    guest --program each.pc
    pcdis each.pc
    echo "-> $?"
done
