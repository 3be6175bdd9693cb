#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Space for profiles (sections 4.3.3 and 5.3, Table 5 of the DCPI paper)
. "${0%/*}/lib.sh"
. "$here/d.sh"
d_want_stores
with_runs
# values_of STORE: bytes of what runs add: without images and reports
values_of() {
    sqlite3 "$1" "SELECT sum(pgsize) FROM dbstat JOIN sqlite_schema AS s ON s.name = dbstat.name
        WHERE tbl_name IN ('sample', 'procedure_sample', 'epoch_sample', 'series', 'epoch_event')"
}
# Program, bytes of its images' files, of the values, of the store, number of values. Paths can be relative to the folder
# of the run; that of a Debian program is beside its input.
for w in $d_programs; do
    store=$runs/$w.store.db
    case " $t_real " in
    *" $w "*) folder=$BUILD/debian/programs/$w/input ;;
    *) folder=$BUILD/workloads ;;
    esac
    images=$(cd "$folder" && sqlite3 "$store" "SELECT path FROM image WHERE name <> 'anonymous'" |
        xargs -d '\n' stat -L -c %s | awk '{ s += $1 } END { print s + 0 }')
    printf '%s\t%s\t%s\t%s\t%s\n' "$w" "$images" "$(values_of "$store")" "$(stat -c %s "$store")" \
        "$(sqlite3 "$store" 'SELECT count(*) FROM sample')"
done > "$out/$ID.dat"
# shellcheck disable=SC2046 # names of runs
d_merge "$ID.db" $(for w in $d_programs; do echo "$w.store"; done)
# ratio COLUMN COLUMN: of their sums
ratio() {
    awk -F '\t' -v a="$1" -v b="$2" '{ x += $a; y += $b } END { printf "%.1f", y ? x / y : 0 }' "$out/$ID.dat"
}
claim 'the files of the images are larger than the values of their profiles, by a factor of' 'an order of magnitude' \
    "$(ratio 2 3)" "$(ratio 2 3) >= 10"
why 'a table of the store has a page at least, and most images are small.'
claim 'the files are larger than the stores, which have symbols, lines and code too, by a factor of' 'not stated' \
    "$(ratio 2 4)" "$(ratio 2 4) >= 1"
why 'a store has what analyses need of an image, so a small image takes as much as its file.'
# DCPI's files have values alone; the tools read symbols and code from the images.
all=$(awk -F '\t' '{ n += $3 } END { printf "%.1f", n / 1e6 }' "$out/$ID.dat")
claim 'the profiles of all programs, without symbols, lines and code of their images, in MB' '0.1 to 13' "$all" \
    "$all <= 13"
why 'more addresses have samples than in the paper.'
note ''
note "The store of all programs has $(awk -v n="$(stat -c %s "$out/$ID.db")" 'BEGIN { printf "%.1f", n / 1e6 }') MB: it
also has symbols, lines, code and constants of the images, so that a profile can be read when a file is gone."
# An entry of the table and of the two buffers has 16 bytes.
driver=$("$BUILD/bin/pcemu" --config ev5 --dump-config | awk '$1 == "host_table_entries" { n += $3 }
    $1 == "host_buffer_entries" { n += 2 * $3 } END { printf "%d", 16 * n / 1024 }')
claim "the driver's table and buffers, in KB" 512 "$driver" "$driver == 512"
note ''
note '| program | files, KB | values, KB | store, KB | number of values |'
note '|---|---|---|---|---|'
note "$(awk -F '\t' '{ printf "| %s | %.0f | %.0f | %.0f | %d |\n", $1, $2 / 1e3, $3 / 1e3, $4 / 1e3, $5 }' \
    "$out/$ID.dat")"
