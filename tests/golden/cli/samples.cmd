# Sample files: all errors are reported, with line and column.
pcasm "$programs/edge.pasm"
printf 'branch pc=0x100 taken=1\nbrunch pc=0x100\nload pc=zz\n@x load\n+5\n+-3 load\nload x-1\nload pz=1\nload rd=256\nload pc\nload x0\n' > bad
pcemu --core samples:bad
echo "-> $?"
# Nothing is taken twice, and time neither goes back nor wraps.
{
    printf '@5 load x2\n+3 load pc=1 pc=2\n@7 load taken=7\n@7 load events=0x1ff x2 x3\n+1 load x3\n@7 load\n@8 load\n'
    printf '+4503599627370496 load x2\n+5 load\n@9007199254740992 load\n+1 load\n@18446744073709551615 load pc=2\n+18446744073709551615 load\n'
} > back
pcemu --core samples:back
echo "-> $?"
# Values at their edges, and bytes that are no text.
{
    printf 'load result=-1\nload result=-9223372036854775809\nload result=18446744073709551615\n'
    printf 'load result=18446744073709551616\nload result=\nload result=5x\nload result=0x\nload =5\nload nothing=5\n'
    printf 'load class=3\nload result=%%0100d\nxload\nload x\nload x=5\nload xx\nload x1.5\nload \0 pc=1\nload\tpc=4 # c\r\n' 1
    printf '+99999999999999999999 load\n+18446744073709551615 load x2\n+ load\n@ load\n# only\n \t\r\nload pc=4'
} | sed 's/%0100d/00000000000000000000000000000000000000000000000000000000000000000000000000000000001/' > edges
pcemu --core samples:edges
echo "-> $?"
printf 'branch pc=0x100 taken=1 x3\n' | pcemu --core samples:- -o -
# Samples without a number are numbered as a sampler does: those that the filters pass.
printf '%s\n' '.base s = 0' '.filter class load' '.entry load l' '.slot s[1] { at : 64 max }' 'l: max s[i7].at, seq' \
    ' done' > numbers.pasm
pcasm -o numbers.pc numbers.pasm
printf 'load pc=0x100 x3\nstore pc=0x104 x9\nload pc=0x108\n' > numbers
pcemu --core samples:numbers --program numbers.pc -o - | tail -1
printf 'load pc=0x100 x3\nload pc=0x104 seq=70\nload pc=0x108\n' > numbers
pcemu --core samples:numbers --program numbers.pc -o - | tail -1
# A question how far it is ends no such run.
mkfifo pipe
pcemu --core samples:pipe -o report & pid=$!
exec 3> pipe
kill -USR1 $pid
echo 'branch pc=0x100 taken=1' >&3
exec 3>&-
wait $pid
echo "-> $?"
