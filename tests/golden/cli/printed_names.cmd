# Each name of a procedure or event that the tables print is taken by the commands that name one.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
pcemu --no-program --profile oracle,counts,paths,tip:period=31,profileme:period=20,counter:event=loads:period=101 \
    --collect s.db -o report.txt ./sort 8 > out
pcprof prof --by instruction --event cycles@tip --format json s.db |
    jq -r '.instructions[] | select(.cycles.estimate > 0) | .procedure' | head -n 12 > names
pcprof summary --format json s.db | jq -r '.procedures[].procedure' >> names
while read -r name; do
    pcprof calc s.db "$name" > calc.txt 2> err && pcprof annotate s.db "$name" > lines.txt 2> err || cat err
done < names
# cfg and summary find a procedure as calc does: one name of each form, such as letters, a point and letters.
awk '{ form = $0; gsub(/[A-Za-z0-9]+/, "a", form) } of[form]++ < 1' names > forms
while read -r name; do
    pcprof cfg s.db "$name" > cfg.txt 2> err && pcprof summary s.db "$name" > summary.txt 2> err || cat err
done < forms
# Every event, of a program of one procedure.
printf '%s\n' 'void main(void)' '{' 'for (volatile int i = 0; i < 500; i++)' ';' \
    '__asm__ volatile("li a7, 93; li a0, 0; ecall");' '}' > small.c
riscv64-linux-gnu-gcc -O1 -w -nostdlib -static -Wl,-e,main -o small small.c
pcemu --no-program --profile oracle,counts,paths,tip:period=31,profileme:period=20,counter:event=loads:period=101 \
    --collect small.db -o report.txt ./small
pcprof list --format json small.db | jq -r '.events[] | .event + "@" + .by' > events
pcprof list --format json s.db | jq -r '.events[] | .event + "@" + .by' | cmp - events
while read -r event; do
    pcprof calc --event "$event" small.db main > calc.txt 2> err || { echo "$event"; cat err; }
    pcprof export --to pprof --event "$event" -o out small.db 2> err || grep -v 'the profile has no samples of event' err
done < events
for event in cycles cycles@tip cycles@oracle cycles@tip:period=31; do
    pcprof export --to callgrind --event $event s.db | grep '^events'
done
try pcprof export --to callgrind --event cycles@tap s.db
