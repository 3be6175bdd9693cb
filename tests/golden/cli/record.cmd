# A recorded run, and its replay without the core. What depends on the compiler that made the workload is not shown.
try() { "$@"; echo "-> $?"; }
cp "$workloads/branchy" "$workloads/stores" "$workloads/glacial" .
all=oracle,tip:period=101,tip-ilp:period=101,nci:period=101,nci+ilp:period=101,lci:period=101,dispatch:period=101,software:period=101
all=$all,counts,counts:slots,profileme:period=97:pair,ipc,counter:event=dcache-miss:period=53:skid
all=$all,counter:event=mispredicted:period=53,tea:period=101,tea-oracle,retire-delay:period=53,paths:period=97
for run in "boom branchy 60" "ev6 stores 30" "ev5 glacial 30"; do
    length=${run##* } run=${run% *} config=${run% *} guest=${run#* }
    pcemu --config "$config" --no-program --max-insts ${length}k --warmup 5k --profile "$all" -o live.txt --stats stats.txt \
        --record r.rec "./$guest"
    pcemu --config "$config" --no-program --max-insts ${length}k --warmup 5k --profile "$all" --format json -o live.json "./$guest"
    pcemu --core replay:r.rec --profile "$all" -o again.txt --stats stats2.txt
    pcemu --core replay:r.rec --profile "$all" --format json -o again.json "./$guest"
    cmp live.txt again.txt && cmp live.json again.json && cmp stats.txt stats2.txt && echo "$run: report and statistics are the same to the byte"
    bytes=$(($(wc -c < r.rec) / length / 1000))
    [ "$bytes" -lt 10 ] && echo "$run: less than 10 bytes for each instruction"
done
# A run in which a profiling program's handlers run, and page faults.
pcasm "$programs/value.pasm"
pcemu --set page_fault_cycles=500 --max-insts 30k --profile oracle,tip:period=101 --record h.rec ./branchy 2> /dev/null
pcemu --core replay:h.rec --profile oracle,tip:period=101 --format json -o h.json
jq -r '.machine.configuration? // .configuration, (.time.profilers[0].categories.handler > 0)' h.json
rm pc.out
# Values, for the logs.
pcemu --no-program --max-insts 5k --kanata live.kanata --trace all --trace-file live.trace --record v.rec --record-values ./branchy
pcemu --core replay:v.rec --kanata again.kanata --trace all --trace-file again.trace
cmp live.kanata again.kanata && cmp live.trace again.trace && echo "the logs are the same"
try pcemu --core replay:r.rec --trace retire
try pcemu --core replay:r.rec --kanata k
# A recording from a pipe, and none.
cat v.rec | pcemu --core replay:- --profile oracle -o piped.txt && pcemu --core replay:v.rec --profile oracle -o named.txt
cmp piped.txt named.txt && echo "the pipe's report is the same"
try pcemu --core replay:- < /dev/null
try pcemu --core replay:
try pcemu --core samples:
# What a replay cannot do: the options of the page, for its reasons; and no others of the page's other table.
sed -n '/^A replay refuses/,/^For each/s/^| `\(--[^|]*\)` | \(.*\) |$/\1|\2/p' "$here/../../../docs/recording.md" | grep -v '^--profile' |
    while IFS='|' read -r options why; do
        for option in $(echo "$options" | tr -d '`,'); do
            case $option in
            --no-truth | --interactive | --warm | --check | --strace) value= ;;
            --param | --env | --set) value=a=1 ;;
            *) value=1 ;;
            esac
            pcemu --core replay:r.rec $option $value 2>&1 | grep -q -F -e "$option is incompatible with --core replay: $why" && echo "$option is refused"
        done
    done
try pcemu --core replay:r.rec --profile counter:event=loads:period=1000:cost=100
try pcemu --core replay:r.rec --program value.pc
try pcemu --core replay:r.rec --max-insts 5
try pcemu --core replay:r.rec --set rob_entries=64
try pcemu --core replay:r.rec ./glacial argument
try pcemu --core functional --record x.rec ./glacial
try pcemu --record-values ./glacial
# Files that are no recordings of this program.
try pcemu --core replay:nothing.rec
try pcemu --core replay:live.txt
try pcemu --core replay:r.rec ./branchy 2>&1 | sed 's/of [0-9]* bytes and hash [0-9a-f]*/of N bytes and hash H/g'
mv glacial elsewhere
try pcemu --core replay:r.rec
mv elsewhere glacial
cut_at() { head -c "$1" r.rec > cut.rec; try pcemu --core replay:cut.rec --profile oracle 2>&1 | sed 's/[0-9][0-9]* bytes of a part, found [0-9]*/N bytes of a part, found M/; s/offset [0-9][0-9]*/offset N/'; }
cut_at 5
cut_at 10
cut_at 40
cut_at $(($(wc -c < r.rec) / 2))
cut_at $(($(wc -c < r.rec) - 1))
(head -c 8 r.rec; printf '\377\000\000\000'; tail -c +13 r.rec) > newer.rec
try pcemu --core replay:newer.rec
(cat r.rec; echo) > longer.rec
try pcemu --core replay:longer.rec --profile oracle 2>&1 | sed 's/offset [0-9]*/offset N/'
true # the exit status
