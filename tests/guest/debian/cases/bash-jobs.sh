# SPDX-License-Identifier: GPL-3.0-or-later
cat > s <<'S'
for i in 3 1 2; do (sleep 0.$i; echo "job $i") & done
wait; echo all
{ echo a; sleep 0.1; echo b; } | while read -r x; do echo "<$x>"; done
mkfifo p; (echo via fifo > p) & cat p; wait; rm p
timeout 0.2 sleep 10; echo "timeout $?"
S
$RUN $BIN/bash s
