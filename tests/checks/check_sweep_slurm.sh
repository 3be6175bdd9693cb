#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a study as an array job of Slurm, on this machine as the only node, with daemons of its own. A task that gets
# SIGUSR1 is queued again. The profile store is that of a study run without Slurm, byte by byte. Skipped where Slurm is
# not installed, or the user is not root.
# usage: check_sweep_slurm.sh BUILD
set -eu
build=$(cd "$1" && pwd)
export PATH="$build/bin:$PATH:/usr/sbin" LC_ALL=C
if ! command -v slurmctld > /dev/null || ! command -v munged > /dev/null || [ "$(id -u)" != 0 ]; then
    echo "check_sweep_slurm.sh: not run: Slurm, munge (./bootstrap check-sweep) and root are needed"
    exit 0
fi
tmp=$(mktemp -d)
host=$(hostname -s)
export SLURM_CONF="$tmp/slurm.conf"
finish() {
    for daemon in slurmd slurmctld munge/munged; do
        pid=$(cat "$tmp/$daemon.pid" 2> /dev/null) || continue
        kill "$pid" 2> /dev/null || continue
        timeout 30 tail --pid="$pid" -f /dev/null || true
    done
    rm -rf "$tmp"
}
trap finish EXIT
cd "$tmp"
fail() { echo "check_sweep_slurm.sh: $*" >&2; tail -n 20 slurmctld.log slurmd.log >&2 || true; exit 1; }
# await COMMAND...: waits until it succeeds, for two minutes
await() {
    timeout 120 sh -c 'until sh -c "$1"; do sleep 0.2; done' sh "$*" || fail "$* does not succeed"
}

chmod 711 "$tmp"
mkdir munge state spool
head -c 1024 /dev/urandom > munge/key
chown -R munge:munge munge
chmod 400 munge/key
chmod 711 munge
su -s /bin/sh munge -c "exec munged --force --socket='$tmp/munge/socket' --key-file='$tmp/munge/key' \
    --pid-file='$tmp/munge/munged.pid' --log-file='$tmp/munge/log' --seed-file='$tmp/munge/seed'" 2> munged.log
cat > slurm.conf << CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$tmp/munge/socket,cred_expire=5
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
SlurmctldLogFile=$tmp/slurmctld.log
SlurmdLogFile=$tmp/slurmd.log
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
JobRequeue=1
KillWait=5
SchedulerParameters=sched_interval=1,batch_sched_delay=0,defer_batch
PlugStackConfig=/dev/null
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(getconf _NPROCESSORS_ONLN) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
slurmctld -c
await 'scontrol ping | grep -q UP'
slurmd
await 'sinfo --noheader -o %T | grep -q idle'

cp "$build/workloads/sort" "$build/workloads/chase" .
cat > study.conf << 'STUDY'
seeds = {1, 2}
profilers = {oracle}
options = {"--max-insts=20M"}
outputs = {store}
program sort { command = sort arguments = {13} }
program chase { command = chase arguments = {12} }
STUDY
pcsweep plan study.conf -o alone > /dev/null
pcsweep run alone --all > log
pcsweep merge alone -o alone.db > /dev/null
pcsweep plan study.conf -o placed > /dev/null
[ "$(pcsweep submit placed --engine slurm --batch 2)" = "sbatch placed/submit.sh" ] || fail "no command"
job=$(sbatch --parsable --output="$tmp/task_%a" placed/submit.sh)
await 'ls placed/results 2> /dev/null | grep -q tmp'
scancel --signal=USR1 --batch "${job}_0"
await 'grep -q "ended by SIGUSR1" task_0 2> /dev/null || scontrol --oneliner show job '"${job}_0"' | grep -q Restarts=1'
await '[ -z "$(squeue --noheader)" ]'
pcsweep submit placed | grep -q 'all jobs are done' || fail "jobs are left: $(cat task_*)"
pcsweep merge placed -o placed.db > /dev/null
cmp placed.db alone.db || fail "the store differs"
