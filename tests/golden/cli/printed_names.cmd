# Each name of a procedure or event that the tables print is taken by the commands that name one.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
pcemu --no-program --profile oracle,counts,paths,tip:period=31,profileme:period=20,counter:event=loads:period=101 \
    --collect s.db -o report.txt ./sort 8 > out
pcprof prof --by instruction --event cycles@tip --format json s.db |
    jq -r '.instructions[] | select(.cycles.estimate > 0) | .procedure' | head -n 40 > names
pcprof summary --format json s.db | jq -r '.procedures[].procedure' >> names
while read -r name; do
    pcprof calc s.db "$name" > calc.txt 2> err && pcprof cfg s.db "$name" > cfg.txt 2> err &&
        pcprof summary s.db "$name" > summary.txt 2> err && pcprof annotate s.db "$name" > lines.txt 2> err || cat err
done < names
pcprof calc s.db sort:quicksort+0x2 | grep '^procedure'
try pcprof calc s.db quicksort+0x100000
try pcprof calc s.db quicksort+0xno
pcprof list --format json s.db | jq -r '.events[] | .event + "@" + .by' > events
while read -r event; do
    pcprof calc --event "$event" s.db main > calc.txt 2> err || { echo "$event"; cat err; }
    pcprof export --to pprof --event "$event" -o out s.db 2> err || grep -v 'the profile has no samples of event' err
done < events
for event in cycles cycles@tip cycles@oracle cycles@tip:period=31; do
    pcprof export --to callgrind --event $event s.db | grep '^events'
done
try pcprof export --to callgrind --event cycles@tap s.db
# Code without a symbol.
riscv64-linux-gnu-strip -o bare sort
pcemu --no-program --profile tip:period=31,counts --collect bare.db -o report.txt ./bare 8 > out
name=$(pcprof summary --format json bare.db | jq -r '.procedures[0].procedure')
[ "$(pcprof calc --format json bare.db "$name" | jq -r .procedure)" = "$name" ] && echo "a procedure without a symbol"
try pcprof calc bare.db '[bare]' 2>&1 | cut -c 1-40
try pcprof calc bare.db main+0x2
