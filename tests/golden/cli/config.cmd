# Configurations: every error names the file, the line and the key.
try() { pcemu --no-program "$@" "$workloads/invariant" 1; echo "-> $?"; }
config() { printf '%b' "$1" > my.conf; try --config ./my.conf; }
config 'rob_entries = 64\n'
config '# a comment\nrob_entris = 64\n'
config 'rob_entries = many\n'
config 'rob_entries = 1000000\n'
config 'l1d_bytes = 30000\n'
config 'rob_entries 64\n'
config 'cop_cam_entries = 300\n'
config 'rob_entries = 64\n\nrob_entries = 32\n'
config 'l1d_bytes = 1M\n'
config 'commit_width = 0\n'
config 'store_wait_reset = 0\n'
config 'fetch_block_bytes = 64\nline_bytes = 32\n'
config 'rob_entries = 64 }\n'
config 'rob_entries = "64\n'
config '\n/* rob_entries = 64\n'
config 'rob_entries = 64\n\001\002\n'
config 'rob_entries = 64\177\n'
config 'llc_bytes = 30000\n'
config 'llc_bytes = 32k\n'
config 'l1i_bytes = 30000\n'
config 'l2_bytes = 30000\n'
config 'l2_bytes = 4k\n'
config 'indirect_entries = 3\n'
config 'dram_row_bytes = 100\n'
config 'dram_row_bytes = 16\n'
config 'dram_cycles = 18\n'
config 'rob_entries = many\nrob_entris = 5\n'
config 'rob_entries = "64 /* none"\n'
config "rob_entries = '64 /* none'\n"
config '// /* none\n# /* none\nrob_entries = none\n'
config 'rob_entries = $64\n'
config ''
mkdir folder && try --config ./folder
try --config nosuch
try --config ./nosuch.conf
try --set rob_entries
try --set rob=5
try --set int_registers=0
try --set =5
try --set l1d_ways=3
try --set commit_width=8 --set rob_entries=4
pcemu --dump-config > dumped.conf && pcemu --config ./dumped.conf --dump-config | cmp - dumped.conf && echo "a dump loads again"
# What an editor puts before the text, and what belongs to a machine.
printf '\357\273\277rob_entries = 64\n' > mark.conf
pcemu --config ./mark.conf --dump-config; echo "-> $?"
printf 'rob_entries = 64\nclock_mhz = ${CLOCK}\n' > variable.conf
CLOCK=100 pcemu --config ./variable.conf --dump-config; echo "-> $?"
printf '# ${A}\n/* b\n ${B} */ clock_mhz = 77 // ${C}\n' > comments.conf
pcemu --config ./comments.conf --dump-config | grep clock_mhz
# Names that do not exist, with the nearest one, and with that of perf's events.
for option in '--config skylake' '--config bom' '--trace comit' '--profile counter:event=cache-misses' \
    '--profile counter:event=branch-misses' '--profile counter:event=dcache-mis'; do
    # shellcheck disable=SC2086 # options, meant to be split
    pcemu --core inorder --no-program $option true
done
