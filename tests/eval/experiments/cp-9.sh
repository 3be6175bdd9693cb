#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Resources of the co-processor: state, host accesses, handler cycles, branch slots, buffer, path (section 3 and Table 1 of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

buffers='512 1024 4096'
# gcc, and the program that drops most.
bzip2=$(stands_for bzip2)
buffered="$gcc $bzip2"
buffered() { variant "$1.paper" buffer "$2" 1024; }
for w in $cp_names; do
    for p in none paper value; do cp_want "$w" $p; done
done
for w in $buffered; do
    cp_variants "$w" paper buffer cop_buffer_bytes 1024 $buffers
done
cp_want_seeds "$bzip2"
with_runs
with_control

# Of each program: reads, stores without and with those of PC filter 2, cycles for each record, percent of branch slots;
# beats of the path for each core cycle.
path_bytes=16
for p in paper value; do
    case $p in paper) source='value-paper' ;; *) source=value ;; esac
    bytes=$("$BUILD/bin/pcasm" --cost=json -o "$out/cp-9.pc" "$sources/programs/$source.pasm" | jq .record_bytes)
    beats=$(((bytes + path_bytes - 1) / path_bytes))
    echo "$bytes $beats" > "$out/cp-9.$p.record"
    for w in $cp_names; do
        query "$w.$p" \
            "([.interrupts, 1] | max) as \$n | [\"$w\", .handler_reads / \$n, (.handler_writes - .mask_writes) / \$n, .handler_writes / \$n,
            (.handler_cycles - .handler_entry_exit_cycles) / ([.records, 1] | max), $beats * (.delivered - .dropped) / .cycles] | @tsv" | tr '\n' '\t'
        printf '%s\t' "$(query_stats "$w.$p" '.coprocessor | 100 * .words_with.branch / .words')"
        query "$w.$p" '.mask_writes / ([.interrupts, 1] | max)'
    done > "$out/cp-9.$p.dat"
done
for w in $buffered; do
    for b in $buffers; do
        echo "$b $(query_stats "$(buffered "$w" "$b")" '.coprocessor | 100 * .dropped / .delivered') $(error_of \
            "$(buffered "$w" "$b")")"
    done > "$out/cp-9.$w.dat"
done
plot cp-9 << END
set logscale x 2
set xlabel "sample buffer, bytes"
set ylabel "%"
set yrange [0:*]
plot "$out/cp-9.$gcc.dat" using 1:2 with linespoints title "$gcc: samples dropped", \
    "$out/cp-9.$gcc.dat" using 1:3 with linespoints title "$gcc: error", \
    "$out/cp-9.$bzip2.dat" using 1:2 with linespoints title "$bzip2: samples dropped", \
    "$out/cp-9.$bzip2.dat" using 1:3 with linespoints title "$bzip2: error"
END

# elements REGION: of the state at that place of the bus, in the core's configuration; words REGION: the bus accesses
# that transfer it
"$BUILD/bin/pcemu" --config ev6 --dump-config > "$out/cp-9.config"
key() { awk -v key="$1" '$1 == key { print $3 }' "$out/cp-9.config"; }
region() { awk -F '[(,] *' -v region="$1" -v n="$2" '$1 == "BUS" && $2 == region { print $n }' "$sources/isa/bus.def"; }
elements() {
    case $(region "$1" 6) in
    FIXED) region "$1" 5 ;;
    *) key "cop_$(region "$1" 6 | tr '[:upper:]' '[:lower:]')" ;;
    esac
}
words() { echo $((($(elements "$1") * $(region "$1" 7) + 63) / 64)); }
# The upper halves of keys are not the paper's.
all_words=$(for one in $(awk -F '[(,] *' '$1 == "BUS" && $8 == "RW" && $2 != "CAM_HIGH" {
    print $2 }' "$sources/isa/bus.def"); do words "$one"; done | awk '{ s += $1 } END { print s }')
claim 'a full transfer takes about 500 64-bit operations' 'about 500' \
    "$all_words words of the bus hold all that a host reads and writes" "$all_words > 400 && $all_words < 600" \
    "$all_words" "$all_words > 400 && $all_words < 600"

# Table 1: structure, its place on the bus, bits of an element, the paper's size. Upper halves of keys are not in it.
table='PC filter bit-mask|MASKED|1|4 Kb
Microcode array|MICROCODE|48|64 x 48 b
Associative array|CAM|32|1 kB
Data array|DATA|64|2 kB
Value registers|VALUES|64|4 x 64 b
Index registers|INDEXES|16|8 x 16 b
Constant registers|CONSTS|64|4 x 64 b
Base address registers|BASES|16|8 x 16 b
Jump target registers|TARGETS|6|4 x 6 b
Decoder, field extractor|DISPATCH|6|21 x 6 b'
echo "$table" | while IFS='|' read -r structure place bits paper; do
    echo "$structure|$paper|$(elements "$place") x $bits b|$(($(elements "$place") * bits))"
done > "$out/cp-9.state"
state=$(awk -F '|' '{ s += $4 } END { printf "%.0f", s / 8 }' "$out/cp-9.state")
claim 'without the sample buffer it has about 4 kB of state' 'about 4 kB' "$state bytes, by Table 1's structures" \
    "$state > 3584 && $state < 4608" "$state" "$state > 3584 && $state < 4608"

# range PROFILER COLUMN PLACES [FACTOR]: mean and range over the programs; mean PROFILER COLUMN; most PROFILER COLUMN
range() { awk -v n="$2" -v places="$3" -v f="${4:-1}" '{ s += f * $n; if (NR == 1 || f * $n < low) low = f * $n;
    if (f * $n > high) high = f * $n }
    END { printf "%.*f to %.*f, mean %.*f", places, low, places, high, places, s / NR }' "$out/cp-9.$1.dat"; }
mean() { awk -v n="$2" '{ s += $n } END { print s / NR }' "$out/cp-9.$1.dat"; }
most() { awk -v n="$2" '$n > m { m = $n } END { print m + 0 }' "$out/cp-9.$1.dat"; }
within() { echo "$(mean "$1" "$2") >= $3 && $(mean "$1" "$2") <= $4"; }
claim 'about 3 kB are read back' 'about 3 kB' "bytes for each interrupt: $(range paper 2 0 8)" \
    "$(within paper 2 256 448)" "$(range value 2 0 8)" "$(within value 2 256 448)"
why 'an interrupt for thrashing reads only a few words.'
# Section 3.5 counts the stores that initialise a program again; setting bits of the filter is in the overhead of 5.3.
claim 'arming again takes fewer than 10 stores; bits of PC filter 2 are apart' '< 10' \
    "$(range paper 3 1) for each interrupt; to the filter $(range paper 8 1)" "$(most paper 3) < 10" \
    "$(range value 3 1); $(range value 8 1)" "$(most value 3) < 10"
claim 'the handler takes 10 to 30 cycles for each record' '10 to 30' "$(range paper 5 1), without entry and exit" \
    "$(within paper 5 10 30)" "$(range value 5 1)" "$(within value 5 10 30)"
added() { for w in $cp_names; do query "$w.paper" "$1 / ([.records, 1] | max)"; done | awk '{ s += $1 } END {
    printf "%.1f", s / NR }'; }
shown "new loads and values, and interrupts for few records: on the control (CP-13) with $control_numbers loads a record
  takes $(for n in $control_loads; do jq '(.handler_cycles / ([.records, 1] | max) * 10 | round) / 10' \
      "$(of_control "$n" value-paper)"; done | xargs | sed 's/ /, /g') cycles, with entry and exit. A record takes 28 cycles by the assumed costs (contract/host_cost.def). A record with a new load or value
  takes 16 more, which adds
  $(added '16 * .handler_work.insert') on average, and stores to PC filter 2 add $(added '4 * .mask_writes')."
# Section 3.4 counts microinstructions: of the words of each shipped program, those with a branch.
for p in "$sources"/programs/*.pasm; do
    "$BUILD/bin/pcasm" -o "$out/cp-9.pc" "$p"
    "$BUILD/bin/pcdis" "$out/cp-9.pc" | awk -v p="$(basename "$p" .pasm)" '
        / ; +[0-9]+ [0-9a-f]+ / { n++; used += / done | goto | interrupt / } END {
        printf "%s\t%.1f\n", p, 100 * used / n }'
done > "$out/cp-9.words"
claim 'often 50 to 75 % of the branch slots are used: in half of the shipped programs and more' 'often 50 to 75 %' \
    "$(awk '{ s += $2; n += $2 >= 50 && $2 <= 75; above += $2 > 75 } END {
        printf "in %d of %d programs; above 75 in %d; mean %.1f %%; while running %s %%", n, NR, above, s / NR, "'"$(range \
            paper 7 1)"'" }' "$out/cp-9.words")" \
    "$(awk '{ n += $2 >= 50 && $2 <= 75 } END { print n / NR }' "$out/cp-9.words") >= 0.5"
why "of the words of the programs, in per cent: $(awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }' \
    "$out/cp-9.words")."
set -- $(for w in $buffered; do awk '$1 == 1024 { a = $2; ea = $3 } $1 == 4096 { b = $2; eb = $3 } END {
    printf "%.1f %.1f %.1f %.1f\n", a, b, ea, eb }' "$out/cp-9.$w.dat"; done)
claim 'a buffer of 1 kB suffices' 'suffices' \
    "$gcc, 1 and 4 kB: $1 and $2 % dropped, error $3 and $4 %; $bzip2: $5 and $6 %, error $7 and $8 %" \
        "$3 < 1.25 * $4 + 1 && $7 < 1.25 * $8 + 1"
why "in $bzip2 the co-processor is saturated, so a larger buffer drops as much. With 1 kB and other random numbers
  (\`--seed\` 2 to 5) its errors are
  $(seeds_of "$bzip2") %: the difference is random."
set -- $(cat "$out/cp-9.paper.record" "$out/cp-9.value.record")
claim 'a path of 128 bits suffices' 'suffices' "a record of $1 bytes takes $2 cycle of it; it is busy at most $(awk \
    -v n="$(most paper 6)" 'BEGIN { printf "%.1f", 100 * n }') % of the time" \
    "$(most paper 6) < 0.5" "$3 bytes, $4 cycle; $(awk -v n="$(most value 6)" 'BEGIN {
        printf "%.1f", 100 * n }') %" "$(most value 6) < 0.5"
note 'State by Table 1. The transistor counts of the paper are estimates of a layout, which a simulator cannot repeat. The
width of the path is fixed at 128 bits.'
note ''
note '| structure | paper | here | bytes |'
note '|---|---|---|---|'
awk -F '|' '{ printf "| %s | %s | %s | %.1f |\n", $1, $2, $3, $4 / 8 }' "$out/cp-9.state" >> "$out/$ID.notes"
