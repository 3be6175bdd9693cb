# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the tables of profilers' errors: 20 million instructions of each workload, about 30,000 samples,
# three seeds. Sourced with the script's arguments BUILD [WORKLOAD...]; leaves the workloads as arguments, in a
# temporary folder.
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- branchy compiler compress dense hashjoin interp pixels sort stencil stores
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
samples=30000 insts=${INSTS:-20000000}

# run WORKLOAD OPTION...: runs the workload on the out-of-order core, configuration boom
run() {
    workload=$1
    shift
    "$build/bin/pcemu" --no-program --config boom --max-insts "$insts" "$@" "$build/workloads/$workload" > output
}

# period STATISTIC: prints the period that gives that number of samples in the run that wrote `stats`
period() { awk -v name="$1" -v samples="$samples" '$1 == name { print int($2 / samples) }' stats; }
