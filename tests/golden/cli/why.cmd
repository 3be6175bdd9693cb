# pcprof why: programs with a known cause, what a store lacks, and errors.
cp "$workloads/sort" "$workloads/hashjoin" "$build/cases/divisor.before" .
collect() { # STORE PROFILERS GUEST OPTION...
    store=$1 profilers=$2 guest=$3
    shift 3
    pcemu --no-program --max-insts 1M --profile "$profilers" --collect "$store" -o report "$@" "./$guest" > out 2> err
}
for guest in sort hashjoin divisor.before; do
    echo "== $guest"
    collect $guest.db oracle,topdown,counts $guest --stacks
    pcprof why $guest.db
done
echo '== another function'
pcprof why sort.db main
echo '== JSON'
pcprof why --format json sort.db | jq -r '.findings[] | "\(.kind) \(.function // "-") \(.share // "-") \(.cause // "-") \(.address // "-")"'
echo '== gains'
collect gain.db oracle divisor.before --gain 3
pcprof why gain.db | sed -n '/^Without/,/^$/p'
pcprof prof --by instruction --event gain.latency --top 2 gain.db
echo '== without causes, by samples'
collect tip.db tip sort
pcprof why tip.db
echo '== errors'
pcprof why sort.db quicksor
pcprof why
pcprof why none.db
collect counts.db counts sort
pcprof why counts.db
echo '== words for the shell'
mv tip.db "it's a store.db"
pcprof why "it's a store.db" | grep pcprof
