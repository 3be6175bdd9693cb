# JSON Lines: with the rows of the lines put back into the values of the first line, the report is that of the JSON form,
# except for tables without rows.
cp "$workloads/invariant" guest
pcasm -o value.pc "$programs/value.pasm"
pcasm -o edge.pc "$programs/edge.pasm"
cat > rebuild.jq << 'JQ'
def element($name): # its number: an element is named by one of its values, or alone
    if length == 1 then 0 else (map(any(.[]; . == $name)) | index(true)) end;
def place($path): # of a table's name in the report: elements of an array have their names
    reduce ($path | split(".")[]) as $part ({at: [], of: .};
        (if .of | type == "array" then (.of | element($part)) else $part end) as $key |
        .at += [$key] | .of |= (if type == "null" then null else .[$key] end)) | .at;
reduce .[1:][] as $line (.[0].row; place($line.table) as $at | setpath($at; (getpath($at) // []) + [$line.row]))
JQ
check() { # NAME PCEMU-ARGUMENT...
    name=$1
    shift
    pcemu --max-insts 60000 --format json -o "$name.json" "$@" guest > out 2> err
    pcemu --max-insts 60000 --format jsonl -o "$name.jsonl" "$@" guest > out 2> err
    pcprof show --format jsonl "$name.json" | cmp - "$name.jsonl"
    jq -S 'del(.presentation) | del(.. | select(type == "array" and length == 0))' "$name.json" > whole
    jq -S -s -f rebuild.jq "$name.jsonl" | jq -S 'del(.. | select(type == "array" and length == 0))' > rebuilt
    cmp whole rebuilt && echo "$name: the same as in JSON"
}
check value --program value.pc --profile oracle,tip,tea,topdown
check counts --no-program --profile oracle,counts,counter:event=loads:period=101,counter:event=taken:period=103,ipc
check edge --program edge.pc
# A table of pcprof; an order; the system calls.
pcemu --no-program --profile oracle --max-insts 60000 --collect runs.db guest > out 2> err
pcprof prof --format jsonl --sort '%:up' runs.db | jq -c '.table' | uniq -c
pcprof prof --format jsonl runs.db | sed -n '1s/, "store".*//p; 2,$ { /"procedures"/ { p; q } }'
pcemu --list-syscalls --format jsonl | head -n 2
pcemu --list-syscalls --format json | jq .syscalls > calls
pcemu --list-syscalls --format jsonl | jq -s 'map(.row)' | cmp calls - && echo 'the same calls'
# Refusals.
pcprof show value.jsonl; echo "-> $?"
pcemu --format jsonl --stats out guest; echo "-> $?"
