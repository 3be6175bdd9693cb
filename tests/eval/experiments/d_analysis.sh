# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the DCPI paper's experiments on analysis. Sourced after lib.sh. The runs are made by BUILD/tests/dcpi,
# which has exact counts beside the samples.

# The first instructions of each workload, with a short period: a run has tens of thousands of samples, as a minute of the
# paper's machine. LEAST is the minimum, 400,000 if not set.
d_most=$(awk -v scale="$SCALE" -v least="${LEAST:-400000}" 'BEGIN {
    most = 20e6 * scale
    print most < least ? least : most
}')
d_sample_period=120

# d_analyse NAME CONFIG SOURCE [PERIOD [WORKLOAD]]: measures all workloads, those in OWN_WORKLOADS, or one, into
# $out/NAME.analysis; kept while the program is the same. CONFIG: a shipped configuration, or a file
d_analyse() {
    d_file=$out/$1.analysis
    d_text="$2 $3 ${4:-$d_sample_period} $d_most"
    [ "$d_file" -nt "$BUILD/tests/dcpi" ] && [ "$(cat "$d_file.command")" = "$d_text" ] && return 0
    case $2 in
    /*) d_config=$2 ;;
    *) d_config=$sources/core-model/config/$2.conf ;;
    esac
    for w in ${5:-${OWN_WORKLOADS:-$(cd "$BUILD/workloads" && echo *)}}; do
        (cd "$BUILD/workloads" && "$BUILD/tests/dcpi" "$d_config" "$d_most" \
            "${4:-$d_sample_period}" "$3" "./$w" 2> /dev/null) |
            grep -aE '^(guest|procedure)	' | sed "s/^procedure	/&$w /" || exit 1
    done > "$d_file.new"
    mv "$d_file.new" "$d_file"
    printf '%s\n' "$d_text" > "$d_file.command"
}

# d_mean_of NAME KEY N [WEIGHT]: mean over the workloads of the N-th number of a key, weighted by samples with
# WEIGHT=samples
d_mean_of() {
    awk -F '\t' -v key="$2" -v n="$3" -v weight="${4:-equal}" '$1 == "guest" {
        for (i = 4; i <= NF; i++) {
            split($i, a, "=")
            if (a[1] != key) continue
            split(a[2], b, "/")
            w = weight == "samples" ? $3 : 1
            s += w * b[n]
            all += w
        }
    } END { printf "%.1f", (all ? s / all : 0) }' "$out/$1.analysis"
}

# d_rows NAME KEY...: the lines of a table, a workload each
d_rows() {
    awk -F '\t' -v keys="$*" 'BEGIN { n = split(keys, key, " ") } $1 == "guest" {
        printf "| %s | %d", $2, $3
        for (k = 2; k <= n; k++)
            for (i = 4; i <= NF; i++)
                if (index($i, key[k] "=") == 1) {
                    text = substr($i, length(key[k]) + 2)
                    gsub("/", " | ", text)
                    printf " | %s", text
                }
        print " |"
    }' "$out/$1.analysis"
}

# d_correlation NAME COLUMN: linear correlation over procedures of misses with the stall cycles: 4 least, 5 most,
# 0 the middle
d_correlation() {
    awk -F '\t' -v c="$2" '$1 == "procedure" {
        x = $3
        y = c ? $c : ($4 + $5) / 2
        n++; sx += x; sy += y; sxx += x * x; syy += y * y; sxy += x * y
    } END {
        d = (n * sxx - sx * sx) * (n * syy - sy * sy)
        printf "%.2f", (d > 0 ? (n * sxy - sx * sy) / sqrt(d) : 0)
    }' "$out/$1.analysis"
}
