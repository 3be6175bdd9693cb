#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the co-processor needs: state, host accesses, cycles in the handler, branch slots, buffer (section 3 and Table 1 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

buffers='512 1024 2048 4096'
buffered() { variant "$1.paper" buffer "$2" 1024; }
for w in $cp_names; do cp_want "$w" paper; done
for w in "$gcc" "$perl"; do
    cp_variants "$w" paper buffer cop_buffer_bytes 1024 $buffers
done
make_runs

for w in $cp_names; do
    query "$w.paper" "[\"$w\", .interrupts, (.handler_reads / .interrupts), ((.handler_writes - .mask_writes) / .interrupts),
        (.handler_cycles - .handler_entry_exit_cycles) / .records, (.mask_writes / .interrupts)] | @tsv" | tr '\n' '\t'
    query_stats "$w.paper" '.coprocessor | [100 * .words_with.branch / .words, .words / .processed] | @tsv'
done > "$out/cp-9.dat"
for w in "$gcc" "$perl"; do
    for b in $buffers; do
        echo "$b $(query_stats "$(buffered "$w" "$b")" '.coprocessor | 100 * .dropped / .delivered') $(error_of "$(buffered "$w" "$b")")"
    done > "$out/cp-9.$w.dat"
done
plot cp-9 << END
set logscale x 2
set xlabel "sample buffer, bytes"
set ylabel "%"
set yrange [0:*]
plot "$out/cp-9.$gcc.dat" using 1:2 with linespoints title "$gcc: samples dropped", \
    "$out/cp-9.$gcc.dat" using 1:3 with linespoints title "$gcc: error", \
    "$out/cp-9.$perl.dat" using 1:2 with linespoints title "$perl: samples dropped", \
    "$out/cp-9.$perl.dat" using 1:3 with linespoints title "$perl: error"
END

# mean and range of a column over the programs
range() { awk -v n="$1" -v places="$2" '{ s += $n; if (NR == 1 || $n < low) low = $n; if ($n > high) high = $n }
    END { printf "%.*f to %.*f, mean %.*f", places, low, places, high, places, s / NR }' "$out/cp-9.dat"; }
mean() { awk -v n="$1" '{ s += $n } END { print s / NR }' "$out/cp-9.dat"; }
most() { awk -v n="$1" '$n > m { m = $n } END { print m }' "$out/cp-9.dat"; }
claim 'a full transfer takes about 500 64-bit host operations' 'about 500' "reads per interrupt $(range 3 0)" "$(most 3) < 600"
claim 'arming again takes fewer than 10 stores' '< 10' "stores per interrupt: $(range 4 1); those of PC filter 2 come to it: $(range 6 1)" "$(mean 4) < 10"
claim 'the handler takes 10 to 30 cycles for each record' '10 to 30' "$(range 5 1), without entry and exit" "$(mean 5) >= 10 && $(mean 5) <= 30"
claim '50 to 75 % of the branch slots are used' '50 to 75 %' "$(range 7 1) %" "$(mean 7) >= 50 && $(mean 7) <= 75"
set -- $(awk '$1 == 1024 { a = $2; ea = $3 } $1 == 4096 { b = $2; eb = $3 } END { printf "%.1f %.1f %.1f %.1f\n", a, b, ea, eb }' "$out/cp-9.$gcc.dat") \
    $(awk '$1 == 1024 { a = $2; ea = $3 } $1 == 4096 { b = $2; eb = $3 } END { printf "%.1f %.1f %.1f %.1f\n", a, b, ea, eb }' "$out/cp-9.$perl.dat")
claim 'a buffer of 1 kB suffices' 'suffices' \
    "$gcc, 1 and 4 kB: $1 and $2 % dropped, error $3 and $4 %; $perl: $5 and $6 %, error $7 and $8 %" "$3 < 1.25 * $4 + 1 && $7 < 1.25 * $8 + 1"
