# Sample files: all errors are reported, with line and column.
pcasm "$programs/edge.pasm"
printf 'branch pc=0x100 taken=1\nbrunch pc=0x100\nload pc=zz\n@x load\n+5\n+-3 load\nload x-1\nload pz=1\nload rd=256\nload pc\nload x0\n' > bad
pcemu --core samples:bad
echo "-> $?"
# Nothing is taken twice, and time neither goes back nor wraps.
{
    printf '@5 load x2\n+3 load pc=1 pc=2\n@7 load taken=7\n@7 load events=0x1ff x2 x3\n+1 load x3\n@7 load\n@8 load\n'
    printf '+4503599627370496 load x2\n+5 load\n@9007199254740992 load\n+1 load\n@18446744073709551615 load pc=2\n'
} > back
pcemu --core samples:back
echo "-> $?"
printf 'branch pc=0x100 taken=1 x3\n' | pcemu --core samples:- -o -
# A question how far it is ends no such run.
mkfifo pipe
pcemu --core samples:pipe -o report & pid=$!
exec 3> pipe
kill -USR1 $pid
echo 'branch pc=0x100 taken=1' >&3
exec 3>&-
wait $pid
echo "-> $?"
