#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the page docs/results/workloads.md to standard output: the workloads on both cores, single parameters changed,
# and the value profiles. The output of a workload must be the same under qemu-riscv64 (if it is installed) and on each
# core; otherwise the script fails with a message.
# usage: table.sh BUILD [WORKLOAD...]          a workload with arguments is one word: 'pixels 60000 plain'
# With WORKLOADs the page has only their rows, without changed parameters and comments.
set -eu
build=$(cd "$1" && pwd)
shift
all=no
if [ $# -eq 0 ]; then
    all=yes
    set -- compiler interp compress glacial bitboard coremix chase stencil dense pixels 'pixels 60000 plain' hashjoin \
        sort nops ilp branchy \
        stores invariant phases sites spmv triad transpose roots interval search
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# As the paper has it, and with all that the program can do besides.
"$build/bin/pcasm" -o "$tmp/paper.pc" programs/value-paper.pasm
"$build/bin/pcasm" -D WHOLE=1 -D RESAMPLE=10 -D CHECK=1 -o "$tmp/shipped.pc" programs/value-paper.pasm

cd "$build/workloads"

# run NAME OPTION...: runs the workload in $words on a core; writes its statistics to NAME and its report to
# NAME.report, and compares its output with the expected one
run() {
    name=$tmp/$1
    shift
    # shellcheck disable=SC2086 # a workload and its arguments
    "$build/bin/pcemu" -L "$build" --format json --stats "$name" -o "$name.report" "$@" ./$words > "$tmp/output" ||
        { echo "table.sh: $words: exit status $? with $*" >&2; failed=1; }
    cmp -s "$tmp/expected" "$tmp/output" || { echo "table.sh: $words: other output with $*" >&2; failed=1; }
}

# expect: the expected output of the workload in $words
expect() {
    if command -v qemu-riscv64 > /dev/null; then
        # shellcheck disable=SC2086 # a workload and its arguments
        qemu-riscv64 ./$words > "$tmp/expected"
    else
        # shellcheck disable=SC2086
        "$build/bin/pcemu" --core functional ./$words > "$tmp/expected"
    fi
    grep -q ': ok$' "$tmp/expected" || { echo "table.sh: $words does not say ok" >&2; failed=1; }
}

# The class by TIP's rule (section 4): executing in more than half of the cycles; else flushed in more than 3 %; else
# stalled.
core_row() {
    jq -r --arg name "$words" --arg config "$1" '
        def places(n): . * pow(10; n) | round / pow(10; n);
        .core as $c
        | def share($n): 100 * $n / $c.cycles | places(1);
          share($c.stack_commit) as $execute
        | share($c.stack_mispredict + $c.stack_flush + $c.stack_exception + $c.stack_ordering) as $flush
        | ($c.mispredicted_direction + $c.mispredicted_target + $c.mispredicted_return) as $mispredicted
        | [$name, $config, ($c.retired / 1e6 | places(1)), ($c.ipc | places(2)),
           ($c.mpki_l1d, $c.mpki_l2 | places(2)),
           (if $c.llc_accesses == 0 then "-" else $c.mpki_llc | places(2) end),
           ($c.mpki_control_flow | places(2)),
           (if $mispredicted == 0 then "-" else $c.stack_mispredict / $mispredicted | places(1) end),
           $execute, $flush,
           share($c.stack_int + $c.stack_fp + $c.stack_serial),
           share($c.stack_load_l1 + $c.stack_load_l2 + $c.stack_load_llc + $c.stack_load_dram),
           share($c.stack_store + $c.stack_store_queue),
           share($c.stack_icache + $c.stack_frontend),
           (if $execute > 50 then "Compute" elif $flush > 3 then "Flush" else "Stall" end)]
        | map(tostring) | "| " + join(" | ") + " |"' "$tmp/$words.$1"
}

# value_row PROGRAM: the slowdown is that of the run's cycles against the run without a program.
value_row() {
    jq -r --arg name "$words" --argjson alone "$(jq .core.cycles "$tmp/$words.boom")" '
        def percent(n): . * 100 * pow(10; n) | round / pow(10; n);
        [$name, .exact_loads, (.profiled_share | percent(1)), .partitions, .loads_masked, .aliased_loads,
         .pairs_scored, .pairs_found, .phantoms, (.rms_error, .rms_error_uncorrected | (. // 0) | percent(2)),
         .exact_glacial, .glacial_found, .glacial_false, .rounds, .checks,
         (.handler_share, .cycles / $alone - 1 | percent(2)),
         (if .complete then .complete_cycle / .cycles | percent(0) else "-" end)]
        | map(tostring) | "| " + join(" | ") + " |"' "$tmp/$1.report" >> "$tmp/values.$1"
}

# change WORKLOAD CONFIG STATISTIC SETTING...: a row with IPC and a statistic's share of the cycles, without and with
# the settings
change() {
    words=$1 config=$2 statistic=$3
    shift 3
    expect
    sets=$(for setting; do printf ' --set %s' "$setting"; done)
    # shellcheck disable=SC2086 # a list of options
    run changed --config "$config" --no-program $sets
    jq -rs --arg name "$words" --arg config "$config" --arg n "$statistic" --arg sets "\`$*\`" '
        def places(n): . * pow(10; n) | round / pow(10; n);
        map(.core) | map(100 * .[$n] / .cycles | places(1)) as $share
        | [$name, $config, $sets, (map(.ipc | places(2))[]), (.[0].cycles / .[1].cycles | places(2)), "`" + $n + "`",
            $share[]]
        | map(tostring) | "| " + join(" | ") + " |"' "$tmp/$words.$config" "$tmp/changed"
}

# value_change SETTING OPTION...: a row with the value profile of $words by $program, without and with the options
value_change() {
    setting=$1
    shift
    expect
    run as_is --config boom --program "$tmp/$program.pc"
    run changed --config boom --program "$tmp/$program.pc" "$@"
    jq -rs --arg name "$words" --arg program "$program" --arg setting "\`$setting\`" '
        def percent(n): . * 100 * pow(10; n) | round / pow(10; n);
        [$name, $program, $setting, (.[] | (.rms_error // 0) | percent(2)), (.[] | .dropped_share | percent(1))]
        | map(tostring) | "| " + join(" | ") + " |"' "$tmp/as_is.report" "$tmp/changed.report"
}

cat << 'END'
# The workloads, measured

The programs are those of [workloads](../workloads.md). One command writes this page:

```console
$ make experiments-workloads
```

It also compares the output of each workload under `qemu-riscv64` and on each core, byte for byte.

## On both cores

- `M instr` is the number of retired instructions in millions.
- MPKI is misses per 1,000 retired instructions. L1D MPKI does not count merged misses. L2 and LLC MPKI include
  prefetches and instruction fetch. Misp. MPKI counts mispredicted directions, targets and returns.
- `empty` is the number of cycles per misprediction in which the ROB is empty: `stack_mispredict` divided by the
  number of mispredictions.
- The percentages are shares of the cycle stack (`--stats`): executing, flushed, stalled on the ALU, on a load and
  on a store, and front end.
- The class is that of the TIP paper: *Compute* if more than half of the cycles commit; otherwise *Flush* if the ROB
  is flushed in more than 3 % of the cycles; otherwise *Stall*.

| workload | core | M instr | IPC | L1D MPKI | L2 MPKI | LLC MPKI | misp. MPKI | empty | execute % | flush % | ALU % | load % | store % | front end % | class |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
for words; do
    expect
    for config in boom ev6; do
        run "$words.$config" --config "$config" --no-program
        core_row "$config"
    done
    for program in paper shipped; do
        run "$program" --config boom --program "$tmp/$program.pc"
        value_row "$program"
    done
done
if [ "$all" = yes ]; then
    cat << 'END'

- **stores**: a store retires before the cache has it, so a full store queue stops rename and the ROB runs empty
  without a flush. TIP's hardware would attribute these cycles to the front end. The oracle attributes them to the
  waiting store ([profilers](../profilers.md)), so the class is Stall.
- **hashjoin** is Flush on boom although it stalls on loads most of the time: the rule tests flushes before stalls.
- **ilp** commits in most cycles, but one of its three loops is serial: a cycle counts as executing if one
  instruction commits.
- **chase** and **hashjoin** have more L2 misses than L1D misses on boom, because the L2 misses include those of the
  next-line prefetcher.
- **compiler**: its code does not fit the L1 I-cache. A wait for the I-cache behind a misprediction counts as
  misprediction.

## Single parameters

Each row changes parameters of one configuration with `--set`. The speed-up is a ratio of cycles. The statistic is a
share of the cycles.

| workload | core | change | IPC | changed | speed-up | statistic | % | changed % |
|---|---|---|---|---|---|---|---|---|
END
    change stores boom stack_store_queue store_queue=128
    change stencil boom stack_store_queue store_queue=128
    change stencil boom stack_load_dram llc_bytes=0
    change stencil ev6 stack_load_dram llc_bytes=4M
    change ilp ev6 stack_int mul_cycles=3
    change compiler boom stack_mispredict l1i_bytes=64k
    change compiler ev6 stack_mispredict l1i_bytes=32k
    change compiler boom fetch_icache l1i_bytes=64k
    change interp boom stack_mispredict indirect_entries=0
    change hashjoin boom full_ftq int_registers=256 ftq_entries=128
    change ilp boom full_ftq ftq_entries=128
    change stencil boom full_ftq ftq_entries=128
    change chase boom stack_load_dram l1d_next_line=no
    change hashjoin boom stack_load_dram l1d_next_line=no
    change stencil boom stack_load_l2 l1d_next_line=no
fi
# values PROGRAM: its table
values() {
    cat << 'END'

| workload | loads | profiled % | parts | masked | aliased | scored | found | false pos. | error % | uncorr. % | glacial | found | false pos. | rounds | checks | handlers % | slowdown % | complete % |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
    cat "$tmp/values.$1"
}

cat << 'END'

## The value profile

`value-paper.pasm` with 256 slots on boom.

- `loads` is the number of static integer loads executed. `profiled %` is the share of the executions that belongs
  to profiled loads.
- `parts`, `masked` and `aliased` count partitions of the program, masked loads, and loads with values equal in
  their low 32 bits.
- `scored` is the number of values with at least 200 occurrences and 25 % of their load's executions, and `found`
  the number of these in the profile. `false pos.` counts values estimated at twice their exact share and more.
- `error %` is the weighted RMS error. A value that was not found has the estimate 0. `uncorr. %` is the same error
  without the correction of the paper's Appendix A.6.
- `glacial` is the number of loads with glacial values by the exact counts: no value has 95 % of the executions, and
  a value stays for 1,000 executions and more on average. `found` is the number of these that the profile flags;
  `false pos.` counts flagged loads that are not among them.
- `handlers %` is the share of the cycles in handlers. `slowdown %` compares the cycles with those of the run
  without a program. An interrupt changes the order of the instructions in flight, so a slowdown can be lower than
  the handlers' share.
- `complete %` is the time of the first complete profile, as a share of the run.

### As in the paper

`pcasm programs/value-paper.pasm`: values of 32 bits, each load profiled once.
END
values paper
cat << 'END'

### With the extensions

`pcasm -D WHOLE=1 -D RESAMPLE=10 -D CHECK=1`: high halves in a second pass, checks and further rounds
([decisions](../decisions.md)).
END
values shipped
if [ "$all" = yes ]; then
    cat << 'END'

The paper describes four exceptions (section 6):

- **Glacial values.** Each load of `glacial` shows one value until the load is masked, so the profile as in the
  paper has one value of each. With the extensions masked loads are checked, which finds the change.
- **Satisfied early.** `compress` is complete long before its end, and its Huffman tree is built later. The loads
  that build the tree are never profiled as in the paper.
- **Bitboards.** The values of `bitboard` differ in their high halves. As in the paper, the estimate of a low half
  is compared with the exact count of the whole value.
- **Large programs.** `compiler` has far more static loads than slots, so few of its loads are profiled often enough
  in a run of this length.

The correction of Appendix A.6 divides the misses of a value among the other known values of its load. It
overestimates them where a load has many values.

### Drops and length

Without early drop, a sample is dropped only if the buffer is full. In `interp` these drops fall into step with the
loop and bias the profile. A larger buffer helps little, because the co-processor is saturated. Random early drop
removes the bias.

| workload | program | option | error % | changed % | dropped % | changed % |
|---|---|---|---|---|---|---|
END
    program=paper words=interp
    value_change cop_early_drop=0 --set cop_early_drop=0
    value_change 'cop_early_drop=0 cop_buffer_bytes=65528' --set cop_early_drop=0 --set cop_buffer_bytes=65528
    cat << 'END'

Longer runs with the extensions:

| workload | cycles | rounds | checks | error % | glacial | found | false pos. |
|---|---|---|---|---|---|---|---|
END
    for words in 'compiler 60' 'glacial 760000 19'; do
        expect
        run longer --config boom --program "$tmp/shipped.pc"
        jq -r --arg name "$words" '[$name, .cycles, .rounds, .checks, ((.rms_error // 0) * 1e4 | round / 100),
                .exact_glacial, .glacial_found, .glacial_false]
            | map(tostring) | "| " + join(" | ") + " |"' "$tmp/longer.report"
    done
fi
exit $failed
