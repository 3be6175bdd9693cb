# Instructions of extensions that are not modelled, as binutils encodes them: the message names the extension.
try() { # EXTENSION INSTRUCTION
    printf '.globl _start\n_start: .option arch, +%s\n%s\n' "$1" "$2" > one.s
    riscv64-linux-gnu-gcc -nostdlib -static -o one one.s || return
    for core in functional inorder; do
        printf '%s: ' "$2"
        pcemu --core $core --no-program ./one 2>&1 | sed -n 's/.* at pc 0x[0-9a-f]* (\(.*\)), after .*/\1/p'
    done | uniq
}
try v 'vsetvli t0, a0, e8, m1, ta, ma'
try v 'vle8.v v1, (a0)'
try v 'vse64.v v1, (a0)'
try v 'vadd.vv v1, v2, v3'
try v 'csrr a0, vlenb'
try zfh 'flh fa0, 0(a0)'
try zfh 'fadd.h fa0, fa0, fa0'
try zfh 'fcvt.s.h fa0, fa0'
try zfh 'fmadd.h fa0, fa0, fa0, fa0'
try q 'fadd.q fa0, fa0, fa0'
try zbc 'clmul a0, a0, a0'
try zbkb 'pack a0, a0, a1'
try zbkb 'brev8 a0, a0'
try zbkx 'xperm8 a0, a0, a0'
try zkne 'aes64es a0, a0, a0'
try zknd 'aes64im a0, a0'
try zkne 'aes64ks1i a0, a0, 1'
try zknh 'sha512sum0 a0, a0'
try zksh 'sm3p0 a0, a0'
try zksed 'sm4ed a0, a0, a0, 1'
try zicbom 'cbo.clean (a0)'
try zicboz 'cbo.zero (a0)'
try zawrs 'wrs.nto'
try h 'hlv.w a0, (a0)'
try h 'hfence.vvma a0, a0'
try svinval 'sinval.vma a0, a0'
try c 'sret'
try c 'wfi'
try c 'csrr a0, mhartid'
try c 'csrr a0, hpmcounter3'
try c '.insn r 0x33, 5, 7, a0, a0, a0 # czero.eqz'
try c '.insn r 0x0b, 0, 0, a0, a0, a0'
try c '.insn r 0x2f, 2, 0x14, a0, a0, a0 # amocas.w'
try c '.insn r 0x2f, 0, 0, a0, a0, a0 # amoadd.b'
try c '.insn 2, 0x8000 # c.lbu'
try c '.insn 2, 0x9d75 # c.not'
try c '.word 0xffffffff'
try c '.word 0x00003057'
try c unimp
