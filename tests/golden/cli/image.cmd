# Program images that cannot be trusted.
try() { "$@"; echo "-> $?"; }
try pcemu "$workloads/invariant"
# Of two missing files the error names the guest.
try pcemu ./nosuch
try pcemu --program missing ./nosuch
cp "$programs/value.pasm" . && pcasm value.pasm
patch() { cp pc.out bad; printf "$2" | dd of=bad bs=1 seek="$1" conv=notrunc status=none; try pcemu --program bad "$workloads/invariant"; }
patch 0 'X'
patch 8 '\011'
patch 8 '\000'
patch 8 '\001'
patch 100 'Z'
head -c 300 pc.out > bad; try pcemu --program bad "$workloads/invariant"
head -c 5 pc.out > bad; try pcemu --program bad "$workloads/invariant"
try pcemu --program missing "$workloads/invariant"
try pcemu --program . "$workloads/invariant"
try pcdis bad
pcasm -D SLOTS=512 value.pasm
try pcemu "$workloads/invariant"
