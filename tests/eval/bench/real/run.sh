#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# User time of the functional core and of qemu-riscv64 on Debian's programs (the file programs), in turns. Prints a
# table in Markdown: seconds, the least of all rounds, and the ratio to qemu-riscv64, above 1 where pcemu is faster.
#   run.sh [BUILD [ROUNDS [NAME...]]]        NAME: these programs alone
# The packages are fetched once, into FOLDER (BUILD/real). PCEMU is the tool (BUILD/bin/pcemu) and OPTIONS are further
# options of it. KINDS are the columns besides qemu (interpreted pcemu), of: interpreted (the options INTERPRETED),
# pcemu (as shipped), warming (all instructions skipped with --warm). QEMU names the emulator. Exit status 1 where the
# exit status or the standard output of a program differs.
set -eu

build=$(cd "${1:-build}" && pwd)
rounds=${2:-5}
if [ $# -gt 2 ]; then shift 2; else set --; fi
here=$(cd "$(dirname "$0")" && pwd)
kinds=${KINDS:-interpreted pcemu}
. "$here/../turns.sh"
. "$here/lib.sh"
command -v "$qemu" > /dev/null || { echo "real/run.sh: skipped: no $qemu" >&2; exit 0; }
mkdir -p "${FOLDER:=$build/real}"
folder=$(cd "$FOLDER" && pwd)
pcemu=$(realpath "${PCEMU:-$build/bin/pcemu}")
[ -x "$pcemu" ] || { echo "real/run.sh: expected a program, found '$pcemu'" >&2; exit 2; }

# One line for each program that was asked for: name | packages | command.
programs=$(grep -v '^#' "$here/programs")
for name; do
    printf '%s\n' "$programs" | grep -q "^$name " || { echo "real/run.sh: no program '$name' in $here/programs" >&2; exit 2; }
done
real_fetch "$folder" "$programs" || { echo 'real/run.sh: skipped: the packages could not be fetched' >&2; exit 0; }

# The inputs are made anew: programs only read them. Results are in a folder of this run.
out=$(mktemp -d "$folder/run.XXXXXX")
trap 'rm -rf "$out"' EXIT INT TERM
real_inputs "$folder" "$out"
# Under qemu-riscv64, whose / is that of the packages, zsh does not find the name of its folder.
guest_environment="$guest_environment PWD=$out/work"

# runner KIND NAME: command prefix of a program
runner() {
    guest="$pcemu -L $folder/root ${OPTIONS:-}"
    for word in $guest_environment; do guest="$guest -E $word"; done
    case $1 in
    qemu) on_qemu "$folder/root" ;;
    pcemu) echo "$guest --core functional --stats $out/$2.$1.stats --format json" ;;
    interpreted) echo "$guest --core functional ${INTERPRETED:---translate 0} --stats $out/$2.$1.stats --format json" ;;
    warming) echo "$guest --core ooo --no-program --warm --skip-insts 1000000000000" ;;
    *) echo "real/run.sh: expected interpreted, pcemu or warming in KINDS, found '$1'" >&2; return 2 ;;
    esac
}
printf '%s\n' "$programs" > "$out/all"
while IFS='|' read -r name _ command; do
    name=${name%% *}
    case " $* " in '  ' | *" $name "*) ;; *) continue ;; esac
    command=$(real_command "$command")
    for kind in qemu $kinds; do
        prefix=$(runner "$kind" "$name")
        printf '%s\n' "$name $kind" >> "$out/runs"
        result=$out/$name.$kind
        printf '%s\n' "cd $out/work; $prefix < /dev/null $command > $result 2> $result.err; echo \$? > $result.status"
    done
done < "$out/all" > "$out/commands"
turns "$rounds" < "$out/commands" > "$out/seconds"

# The instructions of each program, 0 where no run has counted them, and what differs.
status=0
while read -r name kind; do
    [ "$kind" != qemu ] || cat "$out/$name".*.stats /dev/null 2> /dev/null | jq -s '.[0].guest.instructions // 0'
    [ "$kind" = qemu ] || for part in '' .status; do
        cmp -s "$out/$name.qemu$part" "$out/$name.$kind$part" || {
            echo "$name, $kind: other ${part:-output} than under $qemu: $(head -n 1 "$out/$name.$kind.err")" >&2
            status=1
        }
    done
done < "$out/runs" > "$out/instructions"

paste -d ' ' "$out/runs" "$out/seconds" | awk -v instructions="$out/instructions" -v kinds="$kinds" '
    function cells(text, format, of,    k) {
        for (k = 1; k <= n; k++) text = text sprintf(" " format " |", of[kind[k]])
        return text
    }
    BEGIN {
        n = split(kinds, kind, " ")
        head = "| program | million instructions | qemu, s |"
        for (k = 1; k <= n; k++) head = head " " kind[k] ", s |"
        for (k = 1; k <= n; k++) head = head " qemu / " kind[k] " |"
        print head
        gsub(/[^|]+/, "---", head)
        print head
    }
    $2 == "qemu" {
        name = $1
        qemu = $3
        getline millions < instructions
        row = sprintf("| %s | %.0f | %.2f |", name, millions / 1e6, qemu)
        ratios = ""
        programs++
        next
    }
    {
        row = row sprintf(" %.2f |", $3)
        ratio = qemu / ($3 > 0 ? $3 : 0.001)
        ratios = ratios sprintf(" %.2f |", ratio)
        product[$2] += log(ratio)
        if (!($2 in worst) || ratio < worst[$2]) worst[$2] = ratio
        if ($2 == kind[n]) print row ratios
    }
    END {
        for (k = 1; k <= n; k++) mean[kind[k]] = exp(product[kind[k]] / programs)
        blank = "| | |"
        for (k = 1; k <= n; k++) blank = blank " |"
        print cells("| geometric mean " blank, "%.2f", mean)
        print cells("| worst " blank, "%.2f", worst)
    }'
exit $status
