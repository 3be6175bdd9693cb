# SPDX-License-Identifier: GPL-3.0-or-later
# packages: tmux
export TMUX_TMPDIR="$PWD"
tmux() { $RUN -E TERM=screen -E SHELL=/bin/sh -E TMUX_TMPDIR=. $BIN/tmux -f /dev/null "$@"; }
tmux new-session -d -x 60 -y 10 -s a 'stty size; tty > /dev/null && echo a terminal; read line; echo "read: $line"; read end'
until tmux capture-pane -p -t a | grep -q terminal; do sleep 0.2; done
tmux send-keys -t a 'typed here' Enter
until tmux capture-pane -p -t a | grep -q read:; do sleep 0.2; done
tmux capture-pane -p -t a | grep .
tmux list-windows -t a -F '#{window_index} #{window_width} #{window_height}'
tmux kill-server; echo $?; rm -rf tmux-*
