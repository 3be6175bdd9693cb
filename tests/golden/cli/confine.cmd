# What is incompatible with --confine, --read-only and --no-network. tests/guest/confine/check_confine.sh has what they do.
try() { "$@" < /dev/null; echo "-> $?"; }
for option in --confine --read-only; do
    try pcemu $option --no-program --collect runs.db "$workloads/invariant"
    try pcemu $option --no-program --follow-children "$workloads/invariant"
    try pcemu $option -i "$workloads/invariant"
    try pcemu $option --core replay:a "$workloads/invariant"
done
try pcemu --core functional --confine -x /dev/null "$workloads/invariant"
try pcemu --core functional --allow . "$workloads/invariant"
try pcemu --core functional --allow-read . "$workloads/invariant"
try pcemu --core functional --confine --read-only --allow . "$workloads/invariant"
try pcemu --core samples:/dev/null --program /dev/null --confine
try pcemu --core samples:/dev/null --program /dev/null --no-network
ls -A
