# Code that changes while it runs, as in code.cmd, without translation and memoised states, on another configuration,
# with the lock-step check, and behind a part that is skipped.
vectors=$here/../../guest/vectors
for guest in code code_mapped; do
    "${RVCC:-riscv64-linux-gnu-gcc}" -O2 -w -static -o $guest "$vectors/guest_$guest.c"
done
qemu-riscv64 ./code > code.want
cp "$vectors/guest_code_mapped.out" code_mapped.want
run() { pcemu --no-program -o report "$@" 2> err; }
for core in 'functional --translate 0' 'ooo --memo 0' 'ooo --config ev6' 'ooo --harts 2' \
    'inorder --check' 'ooo --config ev6 --check' 'ooo --skip-insts 20000 --check'; do
    for guest in code code_mapped; do
        # shellcheck disable=SC2086 # options, meant to be split
        if run --core $core ./$guest > out && cmp out $guest.want; then
            echo "$core, $guest: the same"
        else
            echo "$core, $guest: differs"
            head -n 3 err
        fi
    done
done
