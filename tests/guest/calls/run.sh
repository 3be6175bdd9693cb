#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random system calls of a guest (calls.c) under pcemu, as a user without rights, in folders of their own, with and
# without --confine in turn.
#   run.sh BUILD CALLS [SEED [CORE]]    until CALLS calls have been made, from SEED (1) on, on CORE (functional)
# Prints the sum. Exit status 1, with the seed, if the emulator fails, or does not end in five minutes. The failure is
# repeated with: calls SEED 1 1000.
set -eu
build=$(cd "$1" && pwd)
calls=$2 seed=${3:-1} core=${4:-functional}
processes=100 each=1000

as_nobody=
[ "$(id -u)" != 0 ] || as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs'
tmp=$(mktemp -d)
trap 'chmod -R u+rwx "$tmp"; rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cp "$build/bin/pcemu" "$build/calls/calls" "$tmp"
export ASAN_OPTIONS="log_path=$tmp/logs/log"

# fails TEXT: the seed of the process that has failed, and what the sanitizers say
fails() {
    echo "fuzz-calls: $1 with seed $(cat "$tmp/work/seed")${confine:+ and $confine}" >&2
    cat "$tmp"/logs/* "$tmp/errors" >&2 2> /dev/null || true
    exit 1
}

made=0 run=0 signals=0 killed=0 most=0 confine=
while [ "$made" -lt "$calls" ]; do
    rm -rf "$tmp/work" "$tmp/logs"
    mkdir -m 777 "$tmp/work" "$tmp/logs"
    status=0
    # shellcheck disable=SC2086 # a command with options, meant to be split
    (ulimit -f 4096 && cd "$tmp/work" && timeout -s KILL 300 $as_nobody "$tmp/pcemu" --core "$core" --no-program $confine \
        ../calls "$seed" "$processes" "$each") > "$tmp/sums" 2> "$tmp/errors" < /dev/null || status=$?
    chmod -R u+rwx "$tmp/work"
    [ "$status" -eq 0 ] || fails "exit status $status"
    [ -z "$(ls "$tmp/logs")" ] || fails 'a finding'
    read -r n m s k a faults < "$tmp/sums" || fails "no line of sums ($(wc -c < "$tmp/sums") bytes)"
    [ "$faults" -eq 0 ] || fails 'an internal fault'
    made=$((made + n)) run=$((run + m)) signals=$((signals + s)) killed=$((killed + k)) seed=$((seed + processes))
    [ "$a" -le "$most" ] || most=$a
    confine=$([ -n "$confine" ] || echo --confine)
done
echo "fuzz-calls: $made calls by $run processes, $core core: signals ended $signals, $killed waited for ever;" \
    "$most different calls succeeded in one run; no fault of the emulator"
