# The page of pcprof report: its data are those of pcprof prof, its texts are harmless, its bytes always the same.
# tests/checks/check_html.sh opens it in a browser.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
pcasm "$programs/callstack.pasm" -o callstack.pc
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
collect() { pcemu --max-insts 60k "$@" ./sort 8 > out 2> err || cat err; }
collect --program callstack.pc --profile oracle,tip:period=101,nci:period=101,counts,profileme:period=50,tea-oracle,tea:period=101,counter:event=dcache-miss:period=20:collect --seed 1 --collect s.db:a -o 1.txt
collect --no-program --profile oracle,tip:period=101 --seed 2 --collect s.db:a -o 2.txt
# The guest is gone: the store has what the page needs.
mv sort gone
# The data of a page.
data() { sed -n 's|.*<script type="application/json" id="data">\(.*\)</script>$|\1|p' "$1"; }
pcprof report s.db:a -o page.html && pcprof report s.db:a | cmp - page.html && echo "the same again"
data page.html > page.json
jq -c 'keys, [.format, .version, .store, .epoch], [.runs[] | [.run, .cycles]], (.columns | length), [.flames[] | [.event, (.value | add)]]' page.json
# Each procedure has the values that pcprof prof prints: sums over instructions here, over addresses there.
jq -r '.columns[] | .event + "@" + .by' page.json > columns
column=0 rows=0
while read -r event; do
    jq -r --argjson c $column '.images as $i | .procedures[] | [.procedure, if .image < 0 then "(unknown)" else $i[.image].name end,
        (.v as $v | range(0; $v | length; 3) | select($v[.] == $c) | $v[.+1], $v[.+2] | if . then . * 1000 | round else "-" end)]
        | select(length > 2) | @csv' page.json | sort > shown
    pcprof prof --format json --event "$event" s.db:a | jq -r --arg e "${event%%@*}" '.procedures[] | select(.[$e].estimate != 0 or .[$e].exact > 0)
        | [.procedure // "(unknown)", .image, (.[$e] | .estimate, .exact | if . then . * 1000 | round else "-" end)] | @csv' | sort > printed
    cmp printed shown || echo "column $column: $event"
    rows=$((rows + $(wc -l < shown))) column=$((column + 1))
done < columns
[ $rows -gt 1000 ] && echo "the procedures of $column columns as pcprof prof has them"
pcprof prof --format json --event cycles@tip:period=101 s.db:a | jq -c '.events[0] | [.event, .estimate, .exact, .error, .misplaced]' > printed
jq -c '.columns[] | select(.by == "tip:period=101") | [.event, .estimate, .exact, .error, .misplaced]' page.json > shown
jq -c 'map(if type == "number" then . * 1e6 | round else . end)' printed shown | uniq -c | tr -s ' '
# Instructions are those of the run's report, as is their disassembly; cycle stacks add up to their cycles.
jq -c '.procedures[] | select(.procedure == "quicksort") | .code[] | select(type == "array" and .[4]) | [.[0], .[1], .[3]]' page.json | sort > shown
pcprof show --format json s.db:1 | jq -c '.time.instructions[] | select(.function == "quicksort") | [.pc[2:], .assembly, .line]' | sort > printed
comm -13 shown printed && echo "$(wc -l < shown) instructions of quicksort"
jq -c '.components as $c | .procedures[] | select(.procedure == "quicksort") | (.s, .p) | [range(1; length; 2) as $n | .[$n]] | add | round' page.json
pcprof prof --format json --event cycles@oracle s.db:1,2 | jq '.procedures[] | select(.procedure == "quicksort") | .cycles.estimate | round'
jq -c '.runs[0].detail | keys, (.time.profilers | map(.error.instruction != null)), (.cost | length > 5), (.coprocessor.intervals | length > 5)' page.json
# Names of symbols, stores and files that would be HTML.
cp gone '<b>&sort'
printf '%s %s\n' quicksort '</script><img/src=x/onerror=hostile()>' main "$(printf 'a\342\200\250b')" > names
riscv64-linux-gnu-objcopy --redefine-syms=names '<b>&sort'
pcemu --max-insts 60k --no-program --profile oracle,tip:period=101 --collect '<i>"&.db' -o 3.txt './<b>&sort' 8 > out 2> err || cat err
pcprof report '<i>"&.db' -o hostile.html
data hostile.html | jq -r '.store, .runs[0].guest, (.procedures[] | .full // .procedure | select(test("img|^a.b$")))' | od -A n -c
grep -c '<img\|<b>\|<i>' hostile.html; grep -c '</script>' hostile.html page.html
sed -n '/<title>/s/.*\(<title>.*<.title>\).*/\1/p; /<noscript>/,/<.noscript>/p' hostile.html
LC_ALL=C grep -c '[^ -~]' hostile.html # characters that are not ASCII
# The hashes of the policy are those of style and script.
for kind in style script; do
    hash=$(awk -v kind="$kind" 'BEGIN { RS = "</" kind ">" } i = index($0, "<" kind ">") { printf "%s", substr($0, i + length(kind) + 2) }' page.html | sha256sum | cut -c 1-64 | tr a-f A-F | basenc -d --base16 | basenc --base64)
    grep -c "$kind-src 'sha256-$hash'" page.html
done
grep -c 'http://\|https://' page.html; grep -o 'https*://[^"'"'"' ]*' page.html | sort -u
# What cannot be.
try pcprof report
try pcprof report none.db
try pcprof report s.db:b
try pcprof report s.db:a -o no/such/folder
