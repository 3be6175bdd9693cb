/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The extensions that are not modelled: each row of unmodelled.def names the extension of an instruction that an
 * assembler, or the manual of the extension, encodes so, and none claims an instruction that is modelled. */
#include "core-model/riscv/unmodelled.h"

#include <string.h>

#include "core-model/riscv/csr.h"
#include "core-model/riscv/format.h"
#include "tests/unit/suite.h"

static const struct {
    uint32_t mask, match;
    const char *name;
} encodings[] = {
#define UNMODELLED(mask, match, name) {mask, match, name},
#define UNMODELLED_CSR(first, last, name)
#include "core-model/riscv/unmodelled.def"
};

static const struct {
    uint32_t first, last;
    const char *name;
} registers[] = {
#define UNMODELLED(mask, match, name)
#define UNMODELLED_CSR(first, last, name) {first, last, name},
#include "core-model/riscv/unmodelled.def"
};
enum { ENCODINGS = sizeof encodings / sizeof encodings[0], REGISTERS = sizeof registers / sizeof registers[0] };

/* From binutils 2.40, and from the manuals of Zvk, Zfa, Zicond, Zacas, Zabha, Zimop, Zicfiss, Zcmt, Zcb and Zcmop. The
 * custom opcodes have no instructions of their own. */
static const struct {
    uint32_t word;
    const char *name;
} examples[] = {
    {0x022180d7, "the vector extension (V)"},                      /* vadd.vv v1, v2, v3 */
    {0x0d0572d7, "the vector extension (V)"},                      /* vsetvli t0, a0, e32, m1, ta, ma */
    {0x02050087, "the vector extension (V)"},                      /* vle8.v v1, (a0) */
    {0x02055087, "the vector extension (V)"},                      /* vle16.v v1, (a0) */
    {0x02056087, "the vector extension (V)"},                      /* vle32.v v1, (a0) */
    {0x02057087, "the vector extension (V)"},                      /* vle64.v v1, (a0) */
    {0x020500a7, "the vector extension (V)"},                      /* vse8.v v1, (a0) */
    {0x020550a7, "the vector extension (V)"},                      /* vse16.v v1, (a0) */
    {0x020560a7, "the vector extension (V)"},                      /* vse32.v v1, (a0) */
    {0x020570a7, "the vector extension (V)"},                      /* vse64.v v1, (a0) */
    {0x00802573, "the vector extension (V)"},                      /* csrr a0, vstart */
    {0xc2002573, "the vector extension (V)"},                      /* csrr a0, vl */
    {0xc2202573, "the vector extension (V)"},                      /* csrr a0, vlenb */
    {0xa22120f7, "the vector cryptography extensions (Zvk)"},      /* vaesem.vv v1, v2 */
    {0x00051507, "the half-precision extension (Zfh)"},            /* flh fa0, 0(a0) */
    {0x00a51027, "the half-precision extension (Zfh)"},            /* fsh fa0, 0(a0) */
    {0x40258553, "the half-precision extension (Zfh)"},            /* fcvt.s.h fa0, fa1 */
    {0x42258553, "the half-precision extension (Zfh)"},            /* fcvt.d.h fa0, fa1 */
    {0x04c5f553, "the half-precision extension (Zfh)"},            /* fadd.h fa0, fa1, fa2 */
    {0x6cc5f543, "the half-precision extension (Zfh)"},            /* fmadd.h fa0, fa1, fa2, fa3 */
    {0x6cc5f547, "the half-precision extension (Zfh)"},            /* fmsub.h fa0, fa1, fa2, fa3 */
    {0x6cc5f54b, "the half-precision extension (Zfh)"},            /* fnmsub.h fa0, fa1, fa2, fa3 */
    {0x6cc5f54f, "the half-precision extension (Zfh)"},            /* fnmadd.h fa0, fa1, fa2, fa3 */
    {0x00054507, "the quad-precision extension (Q)"},              /* flq fa0, 0(a0) */
    {0x00a54027, "the quad-precision extension (Q)"},              /* fsq fa0, 0(a0) */
    {0x4035f553, "the quad-precision extension (Q)"},              /* fcvt.s.q fa0, fa1 */
    {0x4235f553, "the quad-precision extension (Q)"},              /* fcvt.d.q fa0, fa1 */
    {0x06c5f553, "the quad-precision extension (Q)"},              /* fadd.q fa0, fa1, fa2 */
    {0x6ec5f543, "the quad-precision extension (Q)"},              /* fmadd.q fa0, fa1, fa2, fa3 */
    {0x6ec5f547, "the quad-precision extension (Q)"},              /* fmsub.q fa0, fa1, fa2, fa3 */
    {0x6ec5f54b, "the quad-precision extension (Q)"},              /* fnmsub.q fa0, fa1, fa2, fa3 */
    {0x6ec5f54f, "the quad-precision extension (Q)"},              /* fnmadd.q fa0, fa1, fa2, fa3 */
    {0xf0180553, "the extension Zfa"},                             /* fli.s fa0, 1.0 */
    {0xf2180553, "the extension Zfa"},                             /* fli.d fa0, 1.0 */
    {0x4245f553, "the extension Zfa"},                             /* fround.d fa0, fa1 */
    {0x4055f553, "the extension Zfa"},                             /* froundnx.s fa0, fa1 */
    {0xc2859553, "the extension Zfa"},                             /* fcvtmod.w.d a0, fa1, rtz */
    {0x28c5a553, "the extension Zfa"},                             /* fminm.s fa0, fa1, fa2 */
    {0x2ac5b553, "the extension Zfa"},                             /* fmaxm.d fa0, fa1, fa2 */
    {0xa0c5c553, "the extension Zfa"},                             /* fleq.s a0, fa1, fa2 */
    {0xa2c5d553, "the extension Zfa"},                             /* fltq.d a0, fa1, fa2 */
    {0x0ec5d533, "the extension Zicond"},                          /* czero.eqz a0, a1, a2 */
    {0x0ec5f533, "the extension Zicond"},                          /* czero.nez a0, a1, a2 */
    {0x0ac59533, "the carry-less multiplication extension (Zbc)"}, /* clmul a0, a1, a2 */
    {0x0ac5a533, "the carry-less multiplication extension (Zbc)"}, /* clmulr a0, a1, a2 */
    {0x0ac5b533, "the carry-less multiplication extension (Zbc)"}, /* clmulh a0, a1, a2 */
    {0x08c5c533, "the extension Zbkb"},                            /* pack a0, a1, a2 */
    {0x08c5f533, "the extension Zbkb"},                            /* packh a0, a1, a2 */
    {0x08c5c53b, "the extension Zbkb"},                            /* packw a0, a1, a2 */
    {0x6875d513, "the extension Zbkb"},                            /* brev8 a0, a1 */
    {0x28c5a533, "the extension Zbkx"},                            /* xperm4 a0, a1, a2 */
    {0x28c5c533, "the extension Zbkx"},                            /* xperm8 a0, a1, a2 */
    {0x32c58533, "the cryptography extensions (Zkn)"},             /* aes64es a0, a1, a2 */
    {0x3ec58533, "the cryptography extensions (Zkn)"},             /* aes64dsm a0, a1, a2 */
    {0x7ec58533, "the cryptography extensions (Zkn)"},             /* aes64ks2 a0, a1, a2 */
    {0x31359513, "the cryptography extensions (Zkn)"},             /* aes64ks1i a0, a1, 3 */
    {0x30059513, "the cryptography extensions (Zkn)"},             /* aes64im a0, a1 */
    {0x10059513, "the cryptography extensions (Zkn)"},             /* sha256sum0 a0, a1 */
    {0x10759513, "the cryptography extensions (Zkn)"},             /* sha512sig1 a0, a1 */
    {0x10859513, "the cryptography extensions (Zks)"},             /* sm3p0 a0, a1 */
    {0xb0c58533, "the cryptography extensions (Zks)"},             /* sm4ed a0, a1, a2, 2 */
    {0x74c58533, "the cryptography extensions (Zks)"},             /* sm4ks a0, a1, a2, 1 */
    {0x0005200f, "the cache management extensions (Zicbom)"},      /* cbo.inval (a0) */
    {0x0015200f, "the cache management extensions (Zicbom)"},      /* cbo.clean (a0) */
    {0x0025200f, "the cache management extensions (Zicbom)"},      /* cbo.flush (a0) */
    {0x0045200f, "the extension Zicboz"},                          /* cbo.zero (a0) */
    {0x28c5a52f, "the extension Zacas"},                           /* amocas.w a0, a2, (a1) */
    {0x28c5c52f, "the extension Zacas"},                           /* amocas.q a0, a2, (a1) */
    {0x00c5852f, "the extension Zabha"},                           /* amoadd.b a0, a2, (a1) */
    {0x00c5952f, "the extension Zabha"},                           /* amoadd.h a0, a2, (a1) */
    {0x00d00073, "the extension Zawrs"},                           /* wrs.nto */
    {0x01d00073, "the extension Zawrs"},                           /* wrs.sto */
    {0x22b50073, "the hypervisor extension (H)"},                  /* hfence.vvma a0, a1 */
    {0x62b50073, "the hypervisor extension (H)"},                  /* hfence.gvma a0, a1 */
    {0x26b50073, "the hypervisor extension (H)"},                  /* hinval.vvma a0, a1 */
    {0x66b50073, "the hypervisor extension (H)"},                  /* hinval.gvma a0, a1 */
    {0x6805c573, "the hypervisor extension (H)"},                  /* hlv.w a0, (a1) */
    {0x6ea5c073, "the hypervisor extension (H)"},                  /* hsv.d a0, (a1) */
    {0x81c5c573, "the extension Zimop"},                           /* mop.r.0 a0, a1 */
    {0x82c5c573, "the extension Zimop"},                           /* mop.rr.0 a0, a1, a2 */
    {0x10200073, "kernel mode"},                                   /* sret */
    {0x30200073, "kernel mode"},                                   /* mret */
    {0x10500073, "kernel mode"},                                   /* wfi */
    {0x12b50073, "kernel mode"},                                   /* sfence.vma a0, a1 */
    {0x16b50073, "kernel mode"},                                   /* sinval.vma a0, a1 */
    {0x18000073, "kernel mode"},                                   /* sfence.w.inval */
    {0x18100073, "kernel mode"},                                   /* sfence.inval.ir */
    {0x10002573, "kernel mode"},                                   /* csrr a0, sstatus */
    {0x30002573, "kernel mode"},                                   /* csrr a0, mstatus */
    {0x7b002573, "kernel mode"},                                   /* csrr a0, dcsr */
    {0xb0002573, "kernel mode"},                                   /* csrr a0, mcycle */
    {0xf1402573, "kernel mode"},                                   /* csrr a0, mhartid */
    {0xc0302573, "the hardware counters (Zihpm)"},                 /* csrr a0, hpmcounter3 */
    {0x01102573, "the shadow stack extension (Zicfiss)"},          /* csrr a0, ssp */
    {0x01502573, "the entropy source extension (Zkr)"},            /* csrr a0, seed */
    {0x01702573, "the extension Zcmt"},                            /* csrr a0, jvt */
    {0x0000000b, "an extension of a vendor (custom-0)"},
    {0x0000002b, "an extension of a vendor (custom-1)"},
    {0x0000005b, "an extension of a vendor (custom-2)"},
    {0x0000007b, "an extension of a vendor (custom-3)"},
    {0x8188, "the extension Zcb"},   /* c.lbu a0, 0(a1) */
    {0x8988, "the extension Zcb"},   /* c.sb a0, 0(a1) */
    {0x9d4d, "the extension Zcb"},   /* c.mul a0, a1 */
    {0x9d75, "the extension Zcb"},   /* c.not a0 */
    {0x6081, "the extension Zcmop"}, /* c.mop.1 */
    {0x6781, "the extension Zcmop"}, /* c.mop.15 */
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static bool is_short(uint32_t word) { return (word & 3) != 3; }

static uint32_t read_of(uint32_t csr) { return csr << 20 | 0x2573; /* csrr a0, CSR */ }

static bool is_csr(uint32_t word) { return (word & 0x7f) == 0x73 && (word >> 12 & 3) != 0; }

START_TEST(an_example_has_its_extension)
{
    const uint32_t word = examples[_i].word;
    struct rv_insn in;
    const char *name = rv_unmodelled(word);
    ck_assert_msg(name != NULL && strcmp(name, examples[_i].name) == 0, "0x%08x is of %s, found %s", word,
                  examples[_i].name, name != NULL ? name : "none");
    ck_assert_msg(is_csr(word) || !rv_decode(word, &in), "0x%08x is modelled", word);
}
END_TEST

/* The first row of an example is the one that names it, so a row without an example may never be reached. */
START_TEST(an_encoding_has_an_example)
{
    bool found = false;
    ck_assert_uint_eq(encodings[_i].match & ~encodings[_i].mask, 0);
    for (int n = 0; n < EXAMPLES && !found; n++) {
        int first = 0;
        while (first < ENCODINGS && (is_short(examples[n].word) != is_short(encodings[first].match) ||
                                     (examples[n].word & encodings[first].mask) != encodings[first].match))
            first++;
        found = first == _i && !is_csr(examples[n].word);
    }
    ck_assert_msg(found, "no example of 0x%08x, %s", encodings[_i].match, encodings[_i].name);
}
END_TEST

START_TEST(a_range_of_registers_has_an_example)
{
    bool found = false;
    for (int n = 0; n < EXAMPLES; n++)
        found |= is_csr(examples[n].word) && examples[n].word >> 20 >= registers[_i].first &&
                 examples[n].word >> 20 <= registers[_i].last && strcmp(examples[n].name, registers[_i].name) == 0;
    ck_assert_msg(found, "no example of registers 0x%03x to 0x%03x", registers[_i].first, registers[_i].last);
}
END_TEST

/* A modelled instruction may be a special case of one that is not: zext.h is packw with x0. */
START_TEST(no_encoding_is_modelled)
{
    const uint32_t mask = encodings[_i].mask, match = encodings[_i].match;
    struct rv_insn in;
    if (is_short(match)) {
        for (uint32_t word = 0; word < 0x10000; word++)
            ck_assert_msg((word & mask) != match || !rv_decode(word, &in), "0x%04x is modelled", word);
        return;
    }
    for (int op = 0; op < RV_OP_COUNT; op++) {
        const struct rv_row *row = &rv_rows[op];
        bool overlaps = ((row->match ^ match) & row->mask & mask) == 0, is_special = (row->mask & mask) == mask;
        ck_assert_msg(!overlaps || (is_special && row->mask != mask), "0x%08x claims %s", match, row->name);
    }
}
END_TEST

START_TEST(no_register_is_modelled)
{
    for (uint32_t number = 0; number < 0x1000; number++)
        ck_assert_msg(csr_name(number) == NULL || rv_unmodelled(read_of(number)) == NULL, "%s is of %s",
                      csr_name(number), rv_unmodelled(read_of(number)));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("unmodelled");
    TCase *t = tcase_create("unmodelled");
    tcase_add_loop_test(t, an_example_has_its_extension, 0, EXAMPLES);
    tcase_add_loop_test(t, an_encoding_has_an_example, 0, ENCODINGS);
    tcase_add_loop_test(t, a_range_of_registers_has_an_example, 0, REGISTERS);
    tcase_add_loop_test(t, no_encoding_is_modelled, 0, ENCODINGS);
    tcase_add_test(t, no_register_is_modelled);
    suite_add_tcase(s, t);
    return run_suite(s);
}
