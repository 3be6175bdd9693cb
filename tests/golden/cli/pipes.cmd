# Source on standard input, image on standard output, and back: the same program, but for where its lines come from.
pcasm < "$programs/edge.pasm" && ls
pcasm -o - - < "$programs/edge.pasm" | pcdis - > again.pasm
pcasm -o again.out again.pasm && pcasm -o edge.out "$programs/edge.pasm"
pcdis again.out | sed 's/ *;.*//' > 1; pcdis edge.out | sed 's/ *;.*//' > 2
cmp 1 2 && echo same
