#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the page docs/results/sweep.md to standard output: sensitivity of IPC to the structures of the core, boom with
# one structure larger, smaller or perfect. The end of the page lists the shapes that the figures must have, each with
# its verdict; the exit status is 1 if one does not hold.
# usage: sweep.sh BUILD               INSTS: instructions measured of each workload, after a warm-up of a tenth
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$build/workloads"
. "$here/mixes.sh"
chosen='sort hashjoin compiler coremix stencil dense'

# row GROUP VALUE SETTING...: adds the IPC of each workload to the table of the group
row() {
    group=$1 value=$2
    shift 2
    printf '%s' "$value" >> "$tmp/$group"
    for name in $chosen; do
        skip=$(echo "$mixes" | awk -v w="$name" '$3 == w { print $2 }')
        sets=$(for setting; do printf ' --set %s' "$setting"; done)
        # shellcheck disable=SC2086 # a list of options
        "$build/bin/pcemu" --config boom --no-program --skip-insts "$skip" --warmup $((insts / 10)) \
            --max-insts "$insts" \
            --format json --stats "$tmp/stats" $sets "./$name" > /dev/null
        jq -j '" \(.core.ipc)"' "$tmp/stats" >> "$tmp/$group"
    done
    echo >> "$tmp/$group"
}

# Registers, queues and branch tags in boom's proportion to the ROB.
for n in 32 64 128 256 512; do
    row rob $n rob_entries=$n int_registers=$((n + 32)) fp_registers=$((n + 32)) int_queue=$((n * 40 / 128)) \
        mem_queue=$((n * 24 / 128)) \
        fp_queue=$((n / 4)) load_queue=$((n / 4)) store_queue=$((n / 4)) max_branches=$((n * 20 / 128))
done
# Fetch twice as wide as decode, issue and units in proportion.
for n in 1 2 3 4 6 8; do
    half=$(((n + 1) / 2))
    row width $n fetch_width=$((2 * n)) fetch_block_bytes=64 fetch_buffer=$((8 * n)) decode_width=$n commit_width=$n \
        int_issue=$n \
        mem_issue=$half fp_issue=$half mem_ports=$half alu_units=$n branch_units=$half load_units=$half \
            store_units=$half \
        fadd_units=$half fmul_units=$half fma_units=$half fmisc_units=$half
done
for n in 8 16 32 64 128; do
    row l1 ${n}k l1i_bytes=${n}k l1d_bytes=${n}k
done
row perfect none core=ooo
row perfect predictor predictor=perfect
row perfect caches perfect_caches=yes
row perfect both predictor=perfect perfect_caches=yes

# table GROUP HEADING: prints the rows, with the geometric mean
table() {
    printf '\n| %s |' "$2"
    # shellcheck disable=SC2086 # names, meant to be split
    printf ' %s |' $chosen
    printf ' mean |\n|---|'
    # shellcheck disable=SC2086 # names, meant to be split
    printf -- '---|%.0s' $chosen x
    echo
    awk '{
        l = 0
        printf "| %s |", $1
        for (i = 2; i <= NF; i++) { printf " %.2f |", $i; l += log($i) }
        printf " %.2f |\n", exp(l / (NF - 1))
    }' "$tmp/$1"
}

# shape TEXT GROUP PROGRAM: prints whether a shape holds. The awk program reads v[row], m[row], ipc[row, workload] and
# w[name], and exits with 0 if the shape holds.
shape() {
    if awk -v names="$chosen" "
        BEGIN { split(names, list); for (i in list) w[list[i]] = i + 0 }
        { v[NR] = \$1 + 0; l = 0; for (i = 2; i <= NF; i++) { ipc[NR, i - 1] = \$i; l += log(\$i) } m[NR] = exp(l / (NF - 1)); n = NF - 1 }
        function gain(a, b) { return m[b] / m[a] }
        END { $3 }" "$tmp/$2"; then
        echo "- $1: holds."
    else
        echo "- $1: **does not hold.**"
        touch "$tmp/failed"
    fi
}

# The mean decreases by at most half a per cent at each step.
rises='for (r = 2; r <= NR; r++) if (m[r] < 0.995 * m[r - 1]) exit 1'
cat << END
# Sensitivity of IPC to the core's structures

Each table changes one structure of the configuration \`boom\` and gives the IPC of each workload over $insts
instructions, after the workload's initialisation. The mean is geometric. \`make sweep\` (\`tests/eval/bench/sweep.sh\`)
writes this page.

## Reorder buffer

Number of entries. Registers, issue queues, load and store queues and branch tags change in proportion.
END
table rob entries
printf '\n## Width\n\nInstructions decoded and committed per cycle. Fetch is twice as wide; issue, ports and units change in proportion.\n'
table width width
printf '\n## First-level caches\n\nSize of each of the two L1 caches.\n'
table l1 size
printf '\n## Perfect prediction and caches\n\nWith `predictor=perfect` no branch or jump is mispredicted. With `perfect_caches=yes` all\naccesses hit the L1 caches and TLBs.\n'
table perfect perfect
printf '\n## Shapes\n\n'
shape 'A larger ROB does not lower the mean IPC' rob "$rises"
shape 'A larger ROB lowers no workload'\''s IPC by more than a tenth' rob \
    'for (r = 2; r <= NR; r++) for (i = 1; i <= n; i++) if (ipc[r, i] < 0.9 * ipc[r - 1, i]) exit 1'
shape 'The last doubling of the ROB gains less than the first' rob 'exit !(gain(4, 5) < gain(1, 2))'
shape 'From 32 to 512 entries independent misses (hashjoin) gain more than code that hits the L1 cache (coremix)' rob \
    'exit !(ipc[5, w["hashjoin"]] / ipc[1, w["hashjoin"]] > ipc[5, w["coremix"]] / ipc[1, w["coremix"]])'
shape 'A wider core does not lower the mean IPC' width "$rises"
shape 'Each doubling of the width gains less than the one before it' width \
    'exit !(gain(1, 2) > gain(2, 4) && gain(2, 4) > gain(4, 6))'
shape 'IPC stays below the width' width \
    'for (r = 1; r <= NR; r++) for (i = 1; i <= n; i++) if (ipc[r, i] >= v[r]) exit 1'
shape 'Larger L1 caches do not lower the mean IPC' l1 "$rises"
shape 'The last doubling of the L1 caches gains less than the best one' l1 \
    'for (r = 2; r < NR; r++) if (gain(r - 1, r) > best) best = gain(r - 1, r); exit !(gain(NR - 1, NR) < best)'
shape 'Perfect prediction and perfect caches lower no workload'\''s IPC, alone or together' perfect \
    'for (i = 1; i <= n; i++) for (r = 2; r <= 4; r++) if (ipc[r, i] < 0.995 * ipc[1, i]) exit 1'
shape 'The mean IPC with both is not below that with either' perfect 'exit !(m[4] >= m[2] && m[4] >= m[3])'
shape 'The workload that gains most from perfect prediction is sort' perfect \
    'for (i = 1; i <= n; i++) if (ipc[2, i] / ipc[1, i] > ipc[2, w["sort"]] / ipc[1, w["sort"]]) exit 1'
shape 'The workload that gains most from perfect caches is hashjoin' perfect \
    'for (i = 1; i <= n; i++) if (ipc[3, i] / ipc[1, i] > ipc[3, w["hashjoin"]] / ipc[1, w["hashjoin"]]) exit 1'
[ ! -e "$tmp/failed" ]
