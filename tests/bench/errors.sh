# SPDX-License-Identifier: GPL-3.0-or-later
# What the tables of profilers' errors share: 20 million instructions of each workload, about 30,000 samples, three
# seeds.
# Sourced with the script's arguments: BUILD [WORKLOAD...]; the workloads are left as arguments, in a folder of its own.
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- branchy compiler compress dense hashjoin interp pixels sort stencil stores
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
samples=30000 insts=${INSTS:-20000000}

# run WORKLOAD OPTION...: on the out-of-order core, configuration boom
run() {
    workload=$1
    shift
    "$build/bin/pcemu" --no-program --config boom --max-insts "$insts" "$@" "$build/workloads/$workload" > output
}

# period STATISTIC: of the run that wrote `stats`, so that it has that many samples
period() { awk -v name="$1" -v samples="$samples" '$1 == name { print int($2 / samples) }' stats; }
