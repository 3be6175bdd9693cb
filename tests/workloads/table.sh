#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the two Markdown tables of docs/workloads.md: the workloads' behaviour on both cores, and their value profiles.
# A workload's output must be the same under qemu-riscv64 (if installed) and on each core; otherwise the script reports
# it and fails.
# usage: table.sh BUILD [WORKLOAD...]     a workload with arguments is one word: 'pixels 60000 plain'
set -eu
build=$(cd "$1" && pwd)
shift
if [ $# -eq 0 ]; then
    set -- compiler interp compress glacial bitboard coremix chase stencil dense pixels 'pixels 60000 plain' hashjoin sort nops ilp branchy \
        stores invariant phases spmv triad transpose roots interval search
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# As in the paper: values of 32 bits, each load profiled once.
"$build/bin/pcasm" -D WHOLE=0 -D RESAMPLE=0 -o "$tmp/value.pc" programs/value.pasm

# Argument 0 has no path, because its length would move the guest's stack.
cd "$build/workloads"

# run NAME OPTION...: runs the workload in $words on a core and compares its output with the expected one
run() {
    output=$tmp/$1
    shift
    # shellcheck disable=SC2086 # a workload and its arguments
    "$build/bin/pcemu" --format json --stats "$tmp/stats" -o "$tmp/report" "$@" ./$words > "$output" ||
        { echo "table.sh: $words: exit status $? with $*" >&2; failed=1; }
    cmp -s "$tmp/expected" "$output" || { echo "table.sh: $words: other output with $*" >&2; failed=1; }
}

# Class of a program (TIP paper, section 4): computing if it commits in more than half of the cycles; else flushed if
# in more than 3 %; else stalled.
core_row() {
    jq -r --arg name "$words" --arg config "$1" '
        def places(n): . * pow(10; n) | round / pow(10; n);
        .core as $c
        | def share($n): 100 * $n / $c.cycles | places(1);
          share($c.stack_commit) as $execute
        | share($c.stack_mispredict + $c.stack_flush + $c.stack_exception + $c.stack_ordering) as $flush
        | [$name, $config, ($c.retired / 1e6 | places(1)), ($c.ipc | places(2)),
           ($c.mpki_l1d, $c.mpki_l2 | places(2)),
           (if $c.llc_accesses == 0 then "-" else $c.mpki_llc | places(2) end),
           ($c.mpki_control_flow | places(2)),
           $execute, $flush,
           share($c.stack_int + $c.stack_fp + $c.stack_serial),
           share($c.stack_load_l1 + $c.stack_load_l2 + $c.stack_load_llc + $c.stack_load_dram), share($c.stack_store + $c.stack_store_queue),
           share($c.stack_icache + $c.stack_frontend),
           (if $execute > 50 then "Compute" elif $flush > 3 then "Flush" else "Stall" end)]
        | map(tostring) | "| " + join(" | ") + " |"' "$tmp/stats"
}

# The slowdown compares the run's cycles with those of a run without a program. It includes the handlers' time and
# their disturbance of the core's state.
value_row() {
    jq -r --arg name "$words" --argjson alone "$alone" '
        def percent: . * 1000 | round / 10;
        [$name, .exact_loads, .loads_profiled, (.profiled_share | percent), .interrupts_full, .interrupts_thrash, .partitions,
         .loads_masked, .loads_glacial, .aliased_loads, .pairs_scored, .pairs_found, .phantoms, (.rms_error | . * 10000 | round / 100),
         (.handler_share | . * 100000 | round / 1000), ((.cycles / $alone - 1) * 100000 | round / 1000), (if .complete then "yes" else "no" end)]
        | map(tostring) | "| " + join(" | ") + " |"' "$tmp/report" >> "$tmp/values"
}

cat << 'END'
| workload | core | M instr | IPC | L1D MPKI | L2 MPKI | LLC MPKI | mispredicted per 1000 | execute % | flush % | ALU stall % | load stall % | store stall % | front end % | class |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
for words; do
    : > "$tmp/report"
    if command -v qemu-riscv64 > /dev/null; then
        # shellcheck disable=SC2086 # a workload and its arguments
        qemu-riscv64 ./$words > "$tmp/expected"
    else
        # shellcheck disable=SC2086
        "$build/bin/pcemu" --core functional ./$words > "$tmp/expected"
    fi
    grep -q ': ok$' "$tmp/expected" || { echo "table.sh: $words does not say ok" >&2; failed=1; }
    for config in boom ev6; do
        run "$config" --config "$config" --no-program
        core_row "$config"
        [ "$config" != boom ] || alone=$(jq .core.cycles "$tmp/stats")
    done
    run value --config boom --program "$tmp/value.pc"
    value_row
done
cat << 'END'

| workload | static loads | profiled | % of executions | full | thrash | parts | masked | glacial | aliasing | values scored | found | imagined | RMS error % | handlers % | slowdown % | complete |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
cat "$tmp/values"
exit $failed
