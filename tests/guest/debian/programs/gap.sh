# SPDX-License-Identifier: GPL-3.0-or-later
# gap: GAP, from a saved workspace: permutation groups, polynomials over a finite field, combinatorics
# packages: gap-core libgap9 gap-libs gap-gapdoc libgmp10 libreadline8t64 libtinfo6 zlib1g libc6
prepare() {
    echo 'SaveWorkspace("workspace"); QUIT_GAP();' > save.g
    cat > work.g << 'END'
cube := Group(
  ( 1, 3, 8, 6)( 2, 5, 7, 4)( 9,33,25,17)(10,34,26,18)(11,35,27,19), ( 9,11,16,14)(10,13,15,12)( 1,17,41,40)( 4,20,44,37)( 6,22,46,35),
  (17,19,24,22)(18,21,23,20)( 6,25,43,16)( 7,28,42,13)( 8,30,41,11), (25,27,32,30)(26,29,31,28)( 3,38,43,19)( 5,36,45,21)( 8,33,48,24),
  (33,35,40,38)(34,37,39,36)( 3, 9,46,32)( 2,12,47,29)( 1,14,48,27), (41,43,48,46)(42,45,47,44)(14,22,30,38)(15,23,31,39)(16,24,32,40));;
Print(Size(cube), " ", List([2, 3, 5, 7, 11], p -> Size(SylowSubgroup(cube, p))), " ", Size(Centre(cube)), "\n");
Print(List(ConjugacyClasses(MathieuGroup(12)), c -> [Order(Representative(c)), Size(c)]), "\n");
x := Indeterminate(GF(7), "x");;
Print(List([30 .. 40], n -> Length(Factors(x^n - 1))), "\n");
Print(Sum(Combinations([1 .. 14], 7), Product), " ", NrPartitions(200), " ", Sum(Partitions(22), Length), "\n");
QUIT_GAP();
END
    $PREPARE ../root/usr/lib/riscv64-linux-gnu/gap/gap -l ../root/usr/share/gap -A -q -r -b save.g < /dev/null
}
run() {
    $RUN ../root/usr/lib/riscv64-linux-gnu/gap/gap -l ../root/usr/share/gap -A -q -r -b -L workspace work.g < /dev/null
    status=$?
    rm workspace
    return $status
}
