# Sample files: all errors are reported, with line and column.
pcasm "$programs/edge.pasm"
printf 'branch pc=0x100 taken=1\nbrunch pc=0x100\nload pc=zz\n@x load\n+5\n+-3 load\nload x-1\nload pz=1\nload rd=256\nload pc\nload x0\n' > bad
pcemu --core samples:bad
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
