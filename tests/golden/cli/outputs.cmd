# A device that is full, a folder that is missing, a file system that ends: one error, status 2, no partial file.
try() { "$@"; echo "-> $?"; }
try pcasm -o /dev/full "$programs/edge.pasm"
try pcasm -o missing/pc.out "$programs/edge.pasm"
try pcasm -l /dev/full "$programs/edge.pasm"
ls
pcasm "$programs/edge.pasm"
printf 'branch pc=0x100 taken=1\n' > samples
try pcemu --core samples:samples -o /dev/full
try pcemu --core samples:samples -o missing/report
try pcemu --core samples:samples --stats /dev/full -o report
rm -f report
# Writes beyond the limit fail, as on a full disk, once the signal is ignored.
trap '' XFSZ
(ulimit -f 0; try pcasm -o small "$programs/edge.pasm"; try pcemu --core samples:samples -o small)
ls
# A run that fails leaves no beginnings of its outputs either.
try pcemu --no-program -o report --stats stats --kanata log ./missing
echo 'nonsense' > samples
try pcemu --core samples:samples -o report --stats stats
ls
# What is printed on request and cannot be written is told too.
pcemu --dump-config > /dev/full; echo "status $?"
