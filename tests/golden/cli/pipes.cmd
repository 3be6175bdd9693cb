# Source on standard input, image on standard output, and back.
pcasm < "$programs/edge.pasm" && ls
pcasm -o - - < "$programs/edge.pasm" | pcdis - > again.pasm
pcasm -o again.out again.pasm && pcasm -o edge.out "$programs/edge.pasm"
pcdis again.out > 1; pcdis edge.out > 2; cmp 1 2 && echo same
