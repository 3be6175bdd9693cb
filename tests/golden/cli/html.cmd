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
# The code of a page: a line for each procedure.
code() { sed -n 's|.*id="code">\(.*\)</script>$|\1|p' "$1" | base64 -d | gzip -dc; }
data() { sed -n 's|.*<script type="application/json" id="data">\(.*\)</script>$|\1|p' "$1"; }
pcprof report s.db:a -o page.html && pcprof report s.db:a | cmp - page.html && echo "the same again"
data page.html > page.json
code page.html > code.json
jq -c 'keys, [.format, .version, .store, .epoch], [.runs[] | [.run, .cycles]], (.columns | length), [.flames[] | [.event, .by, .tree]]' page.json
trees() { sed -n 's|.*id="trees">\(.*\)</script>$|\1|p' "$1" | base64 -d | gzip -dc; }
trees page.html | jq -c '[keys, (.value | add)]'
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
cat > code.jq << 'EOF'
def hex: reduce explode[] as $c (0; . * 16 + if $c < 58 then $c - 48 else $c - 87 end);
def sums: [foreach .[] as $x (0; . + $x)];
.line as $l | ([range(0; $l | length; 3) | $l[.]] | sums) as $changes | .text as $text
    | ((.first | hex) as $first | [$first] + (.step | sums | map(. + $first))) as $address
    | [.v[][1] | sums[]] | unique[] | . as $row | [$address[$row], $text[$row], $l[3 * ([$changes[] | select(. <= $row)] | length) - 1]]
EOF
number=$(jq '[.procedures[].procedure] | index("quicksort") + 1' page.json)
sed -n "${number}p" code.json | jq -c -f code.jq | sort > shown
pcprof show --format json s.db:1 | jq -c 'def hex: reduce explode[] as $c (0; . * 16 + if $c < 58 then $c - 48 else $c - 87 end);
    .time.instructions[] | select(.function == "quicksort") | [(.pc[2:] | hex), .assembly, .line]' | sort > printed
comm -13 shown printed && echo "$(wc -l < shown) instructions of quicksort"
jq -c '.components as $c | .procedures[] | select(.procedure == "quicksort") | (.s, .p) | [range(1; length; 2) as $n | .[$n]] | add | round' page.json
pcprof prof --format json --event cycles@oracle s.db:1,2 | jq '.procedures[] | select(.procedure == "quicksort") | .cycles.estimate | round'
jq -c '.runs[0].detail | keys, (.time.profilers | map(.error.instruction != null)), (.cost | length > 5), (.coprocessor.intervals | length > 5)' page.json
# Intervals are those of the report: the widths below and above an estimate of TIP.
sed -n "${number}p" code.json | jq -c '([.i[] | .[0]] | length > 0), ([.v, .i | [.[] | select(.[0] == 0)][0][1] | length] | .[0] >= .[1] and .[1] > 10)'
# Two epochs: the rows and their probabilities are those of pcprof diff; the second one has another amount of work.
pcemu --max-insts 60k --no-program --profile oracle,tip:period=101 --seed 3 --collect s.db:b -o 4.txt ./gone 12 > out 2> err || cat err
pcprof report --before s.db:a s.db:b -o both.html && data both.html > both.json
jq -c '.comparison | [.before, .event, .by, .runs], (.procedures | keys)' both.json
for by in procedure line; do
    jq -r --arg by ${by}s '.comparison[$by] | . as $c | range(.name | length) | . as $n | [$c.name[$n], ($c.before[$n], $c.after[$n] | . * 1000 | round), $c.p[$n], $c.q[$n] < 0.05] | @csv' both.json | sort > shown
    pcprof diff --format json --by $by --event cycles@tip:period=101 s.db:a s.db:b | jq -r --arg by $by '.differences[]
        | [.[$by], (.before, .after | . * 1000 | round), .probability, .significant] | @csv' | sort > printed
    [ "$(wc -l < shown)" -gt 20 ] && cut -d , -f 1-3 shown > s && cut -d , -f 1-3 printed | cmp s - && cut -d , -f 5 shown > s && cut -d , -f 5 printed | cmp s - && echo "the ${by}s as pcprof diff has them"
done
try pcprof report --before none.db s.db:b
# Gains are those of the report, with the places of their instructions; two runs do not add up, and no event has them.
for run in 1 2; do
    pcemu --max-insts 60k --no-program --gain 3 --profile oracle --collect gain.db --format json -o gain.json ./gone 8 > out 2> err || cat err
done
pcprof report gain.db -o gain.html && data gain.html > gain.page
for by in measured:gain estimated:estimated; do
    jq -c --arg by ${by%:*} '.gains.rows[] | select(.measured != null) | [.address, .[$by] * 1e9 | if type == "number" then round else . end]' gain.page | sort > shown
    jq -c --arg by ${by#*:} '.gains.instructions[] | [.pc[2:], ([.[$by], 0] | max) * 1e9 | if type == "number" then round else . end]' gain.json | sort > printed
    cmp shown printed && echo "${by%:*} gains: $(wc -l < shown)"
done
jq '[.gains.rows[] | .measured // .estimated] | length > 3, . == (sort | reverse)' gain.page
jq -c '[.columns[].event] | map(select(startswith("gain"))) , (.[:1])' gain.page
jq -c '. as $p | .gains.rows[0] | [$p.procedures[.procedure].procedure, .text, .removed, .time * 1000 | if type == "number" then round else . end]' gain.page
# Calls of functions, from the transfers of the exact paths.
pcemu --no-program --profile paths --collect paths.db -o 6.txt ./gone 8 > out
pcprof report paths.db -o paths.html && data paths.html | jq -c '.calls[] | [.event, .by, ([.names[.from[]]] | length)], (. as $c | range(.from | length) | [$c.names[$c.from[.]], $c.names[$c.to[.]], $c.value[.]] | select(.[1] == "quicksort"))'
# Source lines are on the page where the files are, and not with --no-source.
printf 'int main(void)\n{\n    volatile int sum = 0; /* <b> */\n    for (int n = 0; n < 10000; n++)\n        sum += n;\n    return 0;\n}\n' > loop.c
riscv64-linux-gnu-gcc -O1 -g -static -o loop loop.c
pcemu --no-program --profile oracle --collect loop.db -o 5.txt ./loop
pcprof report loop.db -o loop.html && data loop.html | jq -c '[.sources[] | select(. != null) | .text[]] | .[2:5]'
pcprof report --no-source loop.db -o loop.html && data loop.html | jq -c '[.sources[] | select(. != null)]'
mkdir elsewhere && mv loop.c elsewhere
pcprof report --source-dir elsewhere loop.db -o loop.html && data loop.html | jq -c '[.sources[] | select(. != null) | .text[]] | .[4]'
pcprof report loop.db -o loop.html && data loop.html | jq -c '[.sources[] | select(. != null)]'
# Names of symbols, stores and files that would be HTML.
cp gone '<b>&sort'
printf '%s %s\n' quicksort '</script><img/src=x/onerror=hostile()>' main "$(printf 'a\342\200\250b')" > names
riscv64-linux-gnu-objcopy --redefine-syms=names '<b>&sort'
pcemu --max-insts 60k --no-program --profile oracle,tip:period=101 --collect '<i>"&.db' -o 3.txt './<b>&sort' 8 > out 2> err || cat err
pcprof report '<i>"&.db' -o hostile.html
data hostile.html | jq -r '.store, .runs[0].guest, (.procedures[] | .full // .procedure | select(test("img|^a.b$")))' | od -A n -c
grep -c '<img\|<b>\|<i>' hostile.html; grep -o '</script>' hostile.html | wc -l
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
try pcprof report s.db:none
try pcprof report s.db:a -o no/such/folder
