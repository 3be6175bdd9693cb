# What handlers take is what their costs say, with each of them and on both cores; free of charge, the program does not notice them.
cp "$workloads/invariant" . && pcasm "$programs/value.pasm"
run() { pcemu --format json --top 1 "$@" ./invariant 4 > /dev/null || echo "-> $?"; }
costs='(.interrupts * 214 == .handler_entry_exit_cycles), (.handler_reads * 10 + .handler_writes * 4 == .handler_bus_cycles),
    (.handler_work | .row + 8 * .update + 16 * .insert + 4 * .judge) == .handler_table_cycles,
    (.handler_entry_exit_cycles + .handler_bus_cycles + .handler_table_cycles == .handler_cycles), .interrupts > 0, .handler_table_cycles > 0'
for core in ooo inorder; do
    run --core $core --check -o with.json --stats with.stats 2> /dev/null
    run --core $core --no-program --stats without.stats
    jq -c "[$costs]" with.json
    jq -n 'input as $with | input as $stats | input as $without
        | ($with.cycles / $without.core.cycles) as $slowdown
        | [$with.handler_share, $with.handler_cycles / $with.cycles, ($slowdown - 1)] as [$share, $handlers, $more]
        | if $share >= $handlers and $more > 0.5 * $share and $more < 2 * $share then "the slowdown is about the handlers share"
          else [$share, $handlers, $more] end' with.json with.stats without.stats
    jq -c '.coprocessor.cycles - .core.cycles | . >= 0 and . < 1000' with.stats # to the end of the run, and of samples on their way
    run --core $core --set host_free=yes -o free.json
    jq -c '[.cycles, .handler_cycles, .handler_squashed]' free.json > free
    jq -c '[.core.cycles, 0, 0]' without.stats | cmp - free && echo "free handlers leave no trace"
done
run --set host_entry=300 --set host_bus_read=0 --set host_update=1k -o dear.json 2> err
sed 's/[0-9,]* interrupts took [0-9.]* %/N interrupts took P %/' err
jq -c '[.interrupts * 407 == .handler_entry_exit_cycles, .handler_writes * 4 == .handler_bus_cycles, .handler_table_cycles > .handler_work.update * 1024]' dear.json
run --set page_fault_cycles=5000 -o faults.json --stats faults.stats
jq -n 'input as $with | input.core as $core | [$with.handler_cycles / $with.cycles == $with.handler_share, $core.page_faults > 0]' faults.json faults.stats
run --set interrupt_cycles=10000 -o late.json
jq '.delivery_cycles_each >= 10000' late.json
# Without a core, samples wait for the handler, of 236 cycles here. The third is due at 386 and comes at 622; it is read 5 cycles later, executed in
# the next, and the handler restarts the co-processor 129 cycles after the interrupt, in cycle 758.
cat > each.pasm << 'END'
    .program each
    .filter class load
    .entry load start
start: mov pc32 -> v0 | interrupt
END
pcasm each.pasm || exit
printf '@10 load pc=0x100\n@100 load pc=0x100\n+50 load pc=0x100\n' | pcemu --core samples:- -v -o - --stats -
