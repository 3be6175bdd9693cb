.record pc32, pc33, pc32
mov f0 -> v0
mov f2 -> v0
mov pc -> v0 | done
