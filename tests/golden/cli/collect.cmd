# The store has the samples that the daemon has read. With a free host they are those of a counter without a driver.
cp "$workloads/sort" .
counters() { echo "counter:event=cycles:period=997:random$1,counter:event=dcache-miss:period=31$1"; }
samples() { pcprof prof "$1" --by instruction --event cycles --event dcache-miss --format json |
    jq '[.. | objects | select(has("address")) | del(.by)]'; }
pcemu --no-program --config ev5 --max-insts 300000 --profile "$(counters '')" --collect plain.db -o plain ./sort
pcemu --no-program --config ev5 --max-insts 300000 --profile "$(counters :collect)" --set host_free=yes \
    --collect driver.db -o driver ./sort
samples plain.db > plain.samples
samples driver.db > driver.samples
cmp plain.samples driver.samples && jq 'length > 50' plain.samples
# Two counters of one event are told apart. A small table and small buffers lose nothing.
pcemu --no-program --config ev5 --max-insts 300000 --set host_table_entries=8 --set host_buffer_entries=4 \
    --profile counter:event=cycles:period=997:collect,counter:event=cycles:period=4999:collect \
    --collect two.db -o - ./sort | sed -n '/^counter/,/^$/p; /^Collection/,$p'
pcprof prof two.db --event cycles@counter:event=cycles:period=997:collect \
    --event cycles@counter:event=cycles:period=4999:collect --top 1 | sed -n '/^event/,/^$/p'
# With a daemon elsewhere that is too slow, samples are lost, and the store says so.
pcemu --no-program --config ev5 --max-insts 300000 --set host_table_entries=8 --set host_buffer_entries=4 \
    --set host_daemon_elsewhere=yes --set host_daemon_entry=100000 --profile counter:event=cycles:period=997:collect \
    --collect slow.db -o - ./sort | sed -n '/^counter/,/^$/p; /^Collection/,$p'
pcprof prof slow.db --top 1 | sed -n '/^event/,/^$/p'
# Without a program and --profile the run is profiled as DCPI profiles a machine.
pcemu --config ev5 --max-insts 300000 --collect daily.db -o daily ./sort
grep '^counter' daily
pcprof list daily.db --format json | jq -c '.runs[] | [.epoch, .instructions]'
