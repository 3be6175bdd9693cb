# A pipeline log on the page: its instructions and stages, and what is no such log.
export SOURCE_DATE_EPOCH=1000000000
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
cp "$workloads/sort" .
pcemu --no-program --max-insts 60k --profile oracle --collect s.db -o report ./sort 8 > out 2> err
pcemu --no-program --max-insts 60k --kanata=log --kanata-window=insts:20000-21000 ./sort 8 > out 2> err
pipeline() { sed -n 's|.*id="pipeline">\(.*\)</script>$|\1|p' "$1" | base64 -d | gzip -dc; }
pcprof report --pipeline log s.db -o page.html && pipeline page.html > page.json
# Cycles by stage, and instructions by their end, as computed from the text of the log.
awk -F '\t' '$1 == "C=" { cycle = $2 } $1 == "C" { cycle += $2 } $1 == "S" { from[$2, $4] = cycle }
    $1 == "E" { sum[$4] += cycle - from[$2, $4] } $1 == "R" { end[$4]++ }
    END { for (stage in sum) print stage, sum[stage]; for (type in end) print type, end[type] }' log | sort > expected
{ jq -r '.stages as $s | [.steps[] | range(0; length; 3) as $k | {stage: $s[.[$k]], cycles: .[$k + 2]}] | group_by(.stage)[] | "\(.[0].stage) \(map(.cycles) | add)"' page.json
    jq -r '.squashed | group_by(.)[] | "\(.[0]) \(length)"' page.json; } | sort > found
diff expected found && [ "$(wc -l < found)" -gt 6 ] && echo "stages as in the log"
jq -c '[(.text | length) == ([.place[] | select(.)] | length), .cut]' page.json
pcemu --no-program --max-insts 60k --kanata=long --kanata-window=insts:0-9000 ./sort 8 > out 2> err
pcprof report --pipeline long s.db -o page.html && pipeline page.html | jq -c '[(.text | length), .cut]'
# What is no log.
log() { printf "$@" > bad; try pcprof report --pipeline bad s.db -o page.html; }
try pcprof report --pipeline none s.db -o page.html
log ''
log 'Kanata\t0003\n'
log 'O3PipeView:fetch:1\n'
log 'Kanata\t0004\n'
log 'Kanata\t0004\nI\t1\t0\t0\n'
log 'Kanata\t0004\nI\t0\t0\t0\nS\t1\t0\tF\n'
log 'Kanata\t0004\nI\t0\t0\t0\nS\t0\t0\n'
log 'Kanata\t0004\nI\t0\t0\t0\nR\t0\t0\t2\n'
log 'Kanata\t0004\nC=\t9007199254740992\n'
log 'Kanata\t0004\nC=\t1\nC\t9007199254740991\n'
log 'Kanata\t0004\nC\t\033[31m\n'
log 'Kanata\t0004\nQ\t1\n'
