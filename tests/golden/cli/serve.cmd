# pcprof serve: each address beside the command whose output it is; what it refuses; names of stores that lead elsewhere;
# stores that change, are locked and damaged. tests/checks/check_html.sh opens its pages in a browser.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
collect() { pcemu --max-insts 4k --no-program --profile oracle,tip:period=101,counts "$@" -o /dev/null ./sort 8 > out 2> err || cat err; }
collect --collect s.db:a
collect --seed 2 --config ev5 --collect s.db:b
mkfifo urls
# start ARG...: starts the server, and waits for its address
start() { pcprof serve "$@" > urls 2> log & server=$!; read -r url < urls || cat log; url=${url%/}; }
stop() { kill $server; wait $server; echo "ended with $?"; cat log; }
# get TARGET [OPTION...]: status and type of an answer, whose content is in body
get() { target=$1; shift; curl -s --max-time 100 --path-as-is -o body -w '%{http_code} %{content_type}\n' "$@" "$url$target"; }
# tag TARGET: the entity tag of an answer
tag() { curl -s --max-time 100 -I "$url$1" | sed -n 's/^ETag: \(.*\)\r$/\1/p'; }
ids() { sed 's/[0-9a-f]\{40\}/(a hash)/g; s|sha256-[^'"'"']*|(a hash)|g'; }
echo "--- outputs of commands"
start --port 0 s.db
# same TARGET COMMAND...: the answer is the output of the command
same() { get "$1"; shift; "$@" | cmp - body && echo "as $*"; }
same "/list.json?store=s.db" pcprof list --format json s.db
same "/list.json?store=s.db&runs=b" pcprof list --format json s.db:b
same "/show.json?store=s.db&runs=2" pcprof show --format json s.db:2
same "/why.json?store=s.db&runs=a" pcprof why --format json s.db:a
same "/prof.json?store=s.db" pcprof prof --format json s.db:1-2
same "/prof.json?store=s.db&runs=1,2&by=line&event=cycles%40oracle" pcprof prof --format json --by line --event cycles@oracle s.db:1,2
same "/top.json?store=s.db&runs=a&event=retired" pcprof top --format json --event retired s.db:a
same "/stats.json?store=s.db&by=image" pcprof stats --format json --by image s.db:1-2
same "/diff.json?store=s.db&runs=b&before=a" pcprof diff --format json s.db:a s.db:b
same "/diff.json?store=s.db&runs=b&before=a&before-store=s.db&by=line" pcprof diff --format json --by line s.db:a s.db:b
same "/summary.json?store=s.db&runs=a" pcprof summary --format json s.db:a
get /stores.json && cat body
echo "--- the page is that of pcprof report, with a script that looks for changes"
# parts FILE: what a page shows
parts() { sed -n 's|.*\(<script type="[a-z]*/[a-z]*" id=.*\)</script>$|\1|p' "$1"; }
get "/report?store=s.db&runs=b&before=a" -D headers && sed '/^Date\|^Content-Length\|^\r$/d; s/\r//' headers | ids
pcprof report --no-source --before s.db:a s.db:b > page.html
parts page.html > expected && parts body | cmp expected - && wc -l < expected
grep -c '<html lang="en">' page.html; grep -o '<html[^>]*>' body | ids
for script in $(grep -o "script-src '[^;]*" headers | grep -o 'sha256-[^'"'"']*'); do echo "$script"; done > named
awk 'BEGIN { RS = "</script>" } i = index($0, "<script>") { printf "%s", substr($0, i + 8) > ("script" ++n) }' body
for script in script1 script2; do printf sha256-; sha256sum < $script | cut -c 1-64 | tr a-f A-F | basenc -d --base16 | basenc --base64; done | cmp - named && echo "the scripts are those of the policy"
echo "--- the list"
get / && sed -n 's/ (a hash)//; /<main>/,/<.main>/p' body
get "/store?store=s.db" && sed -n '/<p>/p; /<form/,/<.form>/p' body
echo "--- what a client has is not sent again"
for target in / "/report?store=s.db&runs=a" "/prof.json?store=s.db"; do
    get "$target"
    get "$target" -H "If-None-Match: $(tag "$target")"; get "$target" -H 'If-None-Match: "x", W/'"$(tag "$target")"; get "$target" -H 'If-None-Match: "x"'
    curl -s -I "$url$target" | sed 's/\r//; /^Date\|^Content-Length\|^$/d' | ids | md5sum | cut -c 1-8 > head
    curl -s -o body -D - "$url$target" | sed 's/\r//; /^Date\|^Content-Length\|^$/d' | ids | md5sum | cut -c 1-8 | cmp - head
done
get "/top.json?store=s.db&runs=b" -I
echo "--- what is refused"
refused() { get "$@"; cat body; }
for target in /x /report/ /../s.db /%2e%2e/s.db /report "/report?store=s.db&runs=c" "/report?store=s.db&runs=3" "/report?store=s.db&runs=1-3" "/report?store=none" \
    "/report?store=./s.db" "/report?store=../cwd/s.db" "/report?store=/etc/passwd" "/report?store=s.db%00" "/report?store=s.db%0d%0aX-Y:%20z" "/report?store=%3Cb%3E" \
    "/prof.json?store=s.db&by=none" "/prof.json?store=s.db&event=none" "/prof.json?store=s.db&event=-o" "/prof.json?store=s.db&output=x" "/show.json?store=s.db" "/show.json?store=s.db&runs=1-2"; do
    echo "$target"; refused "$target"
done
refused / --request-target '*'
refused / --request-target http://example.org/
get "/report?store=$(printf '%040000d' 0)"
for method in POST PUT DELETE OPTIONS TRACE x; do get / -X $method; done
refused / -d content; get / -X GET -d content; cat body
for host in evil.example localhost.evil.example 10.0.0.1 "" "localhost:x" LOCALHOST:1 127.9.9.9 '[::1]'; do printf '%s: ' "$host"; get / -H "Host: $host"; done
get / -H 'Host:' -H 'X: y'
get / -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Dest: image'; cat body; get / -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Dest: document'
get / --http1.0
stop
echo "--- clients at the same time, and a store that another process has locked"
cp s.db t.db
start --port 0 s.db t.db
for n in 1 2 3 4 5 6; do curl -s --max-time 100 -o "$n.body" "$url/report?store=s.db&runs=$((n % 2 + 1))" & clients="${clients:-} $!"; done
wait $clients
cmp 1.body 3.body && cmp 1.body 5.body && cmp 2.body 4.body && cmp 2.body 6.body && grep -c '</html>' 1.body
mkfifo commands locked
sqlite3 t.db < commands > locked 2> err & locker=$!
exec 8> commands
echo 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; SELECT 1;' >&8
{ read -r mode; read -r one; echo "$mode $one"; } < locked
curl -s --max-time 100 -o late.body "$url/report?store=t.db&runs=a" & client=$!
get /
echo .quit >&8; exec 8>&-
wait $locker
wait $client && grep -c '</html>' late.body
stop
echo "--- stores that change"
start --port 0 s.db
of_a=$(tag "/report?store=s.db&runs=a") of_all=$(tag "/report?store=s.db") list=$(tag /)
collect --collect s.db:c
get "/report?store=s.db&runs=a" -H "If-None-Match: $of_a"; get "/report?store=s.db" -H "If-None-Match: $of_all"; get / -H "If-None-Match: $list"
grep -c 'runs=c' body
touch s.db; list=$(tag /); get / -H "If-None-Match: $list"
echo "no store any more" > s.db
get "/prof.json?store=s.db&runs=a"; cat body; get /; grep -c 's.db' body
rm s.db
get "/prof.json?store=s.db&runs=a"; cat body
mv t.db s.db
get "/prof.json?store=s.db&runs=a"
stop
echo "--- folders"
mkdir -p folder/results/one folder/results/two.tmp.host.1 folder/.hidden elsewhere
cp s.db folder/results/one/run.db; cp s.db folder/results/two.tmp.host.1; cp s.db folder/.hidden; cp s.db elsewhere
ln -s ../elsewhere folder/outside; ln -s ../elsewhere/s.db folder/outside.db; ln -s elsewhere/s.db link.db
echo text > folder/text; sqlite3 folder/other.db 'CREATE TABLE t (x)'
cp s.db folder/newer.db && sqlite3 folder/newer.db 'PRAGMA user_version = 99'
cp s.db folder/cut.db && truncate -s 30000 folder/cut.db
start --port 0 folder/ link.db folder
get /stores.json && jq -c '.stores[] | [.store, .runs, .error]' body
for store in folder/outside.db folder/outside/s.db elsewhere/s.db folder/.hidden/s.db folder/../elsewhere/s.db folder/text folder/other.db folder/results/two.tmp.host.1/s.db; do get "/store?store=$store"; done
get "/report?store=folder/newer.db"; cat body
cp s.db folder/later.db
get "/store?store=folder/later.db"
cp sort '<b>&sort'
printf 'quicksort </script><img/src=x/onerror=hostile()>\n' > names
riscv64-linux-gnu-objcopy --redefine-syms=names '<b>&sort'
pcemu --max-insts 60k --no-program --profile oracle --collect 'folder/<i>"&.db:a' -o /dev/null './<b>&sort' 8 > out 2> err || cat err
get /; grep -c '<img\|<b>\|<i>' body; grep -o '&#60;b[^ ]*sort' body | uniq; grep -o 'href="/store[^"]*i[^"]*"' body
get "/report?store=folder/%3Ci%3E%22%26.db"; grep -c '<img\|<b>\|<i>' body; grep -c 'u003cimg/src' body
mkdir 'folder/s.db:a' && cp s.db folder && cp s.db 'folder/s.db:b'
get "/report?store=folder/s.db&runs=b"; cat body
stop
echo "--- sources"
printf 'int main(void)\n{\n    volatile int sum = 0;\n    for (int n = 0; n < 9000; n++)\n        sum += n; /* secret */\n    return 0;\n}\n' > loop.c
riscv64-linux-gnu-gcc -O1 -g -static -o loop loop.c
pcemu --no-program --profile oracle --collect loop.db -o /dev/null ./loop
start --port 0 loop.db
get "/report?store=loop.db"; grep -c secret body
stop
mkdir moved && mv loop.c moved
start --port 0 --source --source-dir moved loop.db
get "/report?store=loop.db"; grep -c secret body
stop
echo "--- a Unix socket"
start --unix socket s.db
echo "$url"; stat -c %A socket
url=http://localhost
get / --unix-socket socket; get / --unix-socket socket -H 'Host: evil.example'
stop
[ -e socket ] || echo "no socket is left"
echo "--- signals"
mkfifo interrupted
env --default-signal=INT pcprof serve --port 0 s.db > interrupted & server=$!
read -r url < interrupted
kill -INT $server; wait $server; echo "-> $?"
echo "--- usage"
start --port 0 s.db
port=${url##*:}
try pcprof serve --port "$port" s.db 2>&1 | sed "s/$port/PORT/"
try pcprof serve --port "$port" --address 0.0.0.0 --allow-remote s.db 2>&1 | sed "s/$port/PORT/"
stop
try pcprof serve
try pcprof serve none.db
try pcprof serve log
try pcprof serve folder/other.db
try pcprof serve --port 65536 s.db
try pcprof serve --address 0.0.0.0 s.db
try pcprof serve --address localhost s.db
try pcprof serve --allow-remote s.db
try pcprof serve --source-dir . s.db
try pcprof serve --unix a --address ::1 s.db
try pcprof serve --unix none/socket s.db
