#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Studies that are disturbed: workers that are killed, that share jobs, that lack space on the disk or are to stop;
# results that are damaged. At last each has the profile store of a study that nothing disturbed, byte by byte. GNU
# parallel runs a study, and repeats what was killed.
# usage: check_sweep.sh BUILD
set -eu
build=$(cd "$1" && pwd)
export PATH="$build/bin:$PATH" LC_ALL=C
command -v parallel > /dev/null || { echo "check_sweep.sh: GNU parallel is missing: ./bootstrap check-sweep" >&2; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
bad=0
failed() { echo "check_sweep.sh: $*" >&2; bad=1; }

cp "$build/workloads/sort" "$build/workloads/chase" .
cat > study.conf << 'STUDY'
seeds = {1, 2}
profilers = {oracle, "tip:period=997:random"}
options = {"--max-insts=300000"}
outputs = {store}
program sort { command = sort arguments = {12} }
program chase { command = chase arguments = {12} }
configuration boom {}
configuration ev5 { base = ev5 }
STUDY
# new NAME: a study without results
new() { pcsweep plan study.conf -o "$1" > /dev/null; }
ids() { sed 1d "$1/manifest.jsonl" | sed 's/^{"id":"\([0-9a-f]*\)".*/\1/'; }
# same NAME: all jobs are done, and the store is that of the undisturbed study
same() {
    pcsweep run "$1" --all > "$1.last" 2>&1 || failed "$1: the jobs that are left fail: $(cat "$1.last")"
    pcsweep merge "$1" -o "$1.db" > /dev/null || failed "$1: the results cannot be merged"
    cmp "$1.db" undisturbed.db || failed "$1: the store differs"
    [ -z "$(find "$1/results" -name '*.tmp.*')" ] || failed "$1: a part of a result is left"
}
new undisturbed
pcsweep run undisturbed --all > log
pcsweep merge undisturbed -o undisturbed.db > /dev/null
first=$(ids undisturbed | head -n 1)

# until TEST...: waits until a command succeeds, or the worker has ended.
until_true() {
    while ! "$@" && kill -0 "$worker" 2> /dev/null; do :; done
}
has_part() { [ -n "$(find "$1/results" -name "*.tmp.*" 2> /dev/null)" ]; }

echo "check_sweep.sh: a worker is killed"
new killed
for attempt in 1 2 3; do
    pcsweep run killed --all > killed.log 2>&1 &
    worker=$!
    until_true has_part killed
    kill -9 "$worker" 2> /dev/null || failed "killed: the worker had ended before (attempt $attempt)"
    wait "$worker" || true
done
# Their pcemu ends, too.
timeout 60 sh -c 'while [ -n "$(find /proc/[0-9]*/cwd -lname "$1/*" 2> /dev/null)" ]; do :; done' sh "$tmp/killed" ||
    failed "killed: pcemu goes on without its worker"
has_part killed || failed "killed: no part of a result is left, so the worker was not killed within a job"
pcsweep status killed | grep -q '^running  *0$' || failed "killed: a job counts as running"
same killed

echo "check_sweep.sh: two workers, the same jobs"
new shared
pcsweep run shared --all > one.log 2>&1 &
one=$!
pcsweep run shared --all > two.log 2>&1 &
two=$!
status=0
wait $one || status=$?
[ $status = 0 ] || [ $status = 75 ] || failed "shared: exit status $status: $(cat one.log)"
status=0
wait $two || status=$?
[ $status = 0 ] || [ $status = 75 ] || failed "shared: exit status $status: $(cat two.log)"
[ "$(cat one.log two.log | grep -c ': done$')" = 8 ] || failed "shared: jobs were run twice, or not at all"
same shared

echo "check_sweep.sh: SIGUSR1"
new stopped
pcsweep run stopped --all --jobs 2 > stopped.log 2>&1 &
worker=$!
until_true has_part stopped
kill -USR1 $worker
status=0
wait $worker || status=$?
[ $status = 75 ] || failed "stopped: exit status $status instead of 75"
has_part stopped && failed "stopped: a part of a result is left"
same stopped

echo "check_sweep.sh: no space for a file"
new full
status=0
(ulimit -f 64 && exec pcsweep run full "$first") > full.log 2>&1 || status=$?
[ $status = 70 ] || failed "full: exit status $status instead of 70: $(cat full.log)"
pcsweep merge full -o full.db 2> full.log && failed "full: a store without results was merged"
same full
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=3m none small 2> /dev/null; then
    echo "check_sweep.sh: a full disk"
    new whole
    cp -r whole/. small 2> /dev/null
    status=0
    pcsweep run small --all > small.log 2>&1 || status=$?
    cp -r small/. full_disk
    umount small
    [ $status = 70 ] || failed "small: exit status $status instead of 70"
    same full_disk
fi

echo "check_sweep.sh: damaged results"
for damage in 'truncate -s 1000' 'truncate -s 0' 'rm -f'; do
    for file in run.db report.json footer.json; do
        rm -rf damaged && cp -r undisturbed damaged
        $damage "damaged/results/$first/$file"
        pcsweep merge damaged -o damaged.db 2> damaged.log && failed "damaged: $damage $file was not noticed"
        same damaged
        grep -q "the job is run again" damaged.last || failed "damaged: $damage $file: run does not say so"
    done
done

echo "check_sweep.sh: a result of another build"
rm -rf built && cp -r undisturbed built
sed -i 's/"pcemu": "[0-9a-f]*"/"pcemu": "0000000000000000000000000000000000000000"/' "built/results/$first/footer.json"
pcsweep merge built --partial -o built.db 2> built.log && failed "built: results of two builds were merged"
grep -q "expected a result of build" built.log || failed "built: $(cat built.log)"
same built

echo "check_sweep.sh: GNU parallel"
new placed
pcsweep submit placed --engine parallel --jobs 2 --batch 2 > started
grep -qx 'sh placed/submit.sh' started || failed "placed: $(cat started)"
sh placed/submit.sh > placed.log 2>&1 || failed "placed: $(cat placed.log)"
[ "$(sed 1d placed/joblog | awk '$7 == 0' | wc -l)" = 4 ] || failed "placed: $(cat placed/joblog)"
pcsweep submit placed | grep -q 'all jobs are done' || failed "placed: jobs are left"
same placed
new again
pcsweep submit again --engine parallel --jobs 2 > started
sh again/submit.sh > again.log 2>&1 &
worker=$!
until_true has_part again
part=$(find again/results -name '*.tmp.*' | head -n 1)
kill -9 "${part##*.}" 2> /dev/null || failed "again: no worker to kill"
wait $worker || true
pcsweep submit again --engine parallel > started
sh again/submit.sh > again.log 2>&1 || failed "again: $(cat again.log)"
same again
exit $bad
