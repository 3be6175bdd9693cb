# SPDX-License-Identifier: GPL-3.0-or-later
# packages: dbus-daemon dbus-bin
cat > c <<X
<busconfig><type>session</type><listen>unix:path=$PWD/s</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
X
$RUN $BIN/dbus-daemon --config-file="$PWD/c" --nofork --nopidfile > log 2>&1 & server=$!
until [ -S s ]; do sleep 0.1; done
for method in ListNames Hello; do
    $RUN $BIN/dbus-send --bus=unix:path="$PWD/s" --print-reply=literal --dest=org.freedesktop.DBus / \
        org.freedesktop.DBus.$method 2>&1
done
kill $server; wait $server; rm -f c log s
