# Code that changes while it runs, in each way of tests/guest/vectors/guest_code*.c: all cores run the same versions,
# also with the lock-step check, with translation, on two harts, and from a recording. code_ways has more ways.
vectors=$here/../../guest/vectors
for guest in code code_mapped; do
    "${RVCC:-riscv64-linux-gnu-gcc}" -O2 -w -static -o $guest "$vectors/guest_$guest.c"
done
qemu-riscv64 ./code > code.want
cp "$vectors/guest_code_mapped.out" code_mapped.want
run() { pcemu --no-program -o report "$@" 2> err; }
for core in functional 'functional --translate 4' inorder ooo 'inorder --harts 2' 'ooo --check'; do
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

# A recording has all versions of an instruction.
for guest in code code_mapped; do
    pcemu --no-program --profile oracle,counts -o live --record r.rec ./$guest > out 2> err
    pcemu --core replay:r.rec --profile oracle,counts -o again
    sed -i '/^NOT PROFILED/d' live # the processes that the guest has forked
    cmp out $guest.want && cmp live again && echo "$guest: the replay has the same report"
done
