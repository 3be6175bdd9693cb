/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code generator: a region becomes one function of LLVM's intermediate representation, in which the guest's
 * registers are local variables and each instruction is a block that calls its row of row_semantics.c. LLVM inlines,
 * optimises and translates it. Source of the interface: the headers llvm-c of LLVM 14 and later. */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

#include "core-model/riscv/compile/compile.h"

enum { REGISTERS = 64 };

/* row_semantics.c in LLVM's representation. */
extern const char row_semantics_start[], row_semantics_end[];

/* By operation: the functions of row_semantics.c. */
static const struct {
    const char *row, *misplaced, *may;
    enum rv_kind kind;
    unsigned mem_bytes;
} rows[RV_OP_COUNT] = {
#define RV(sym, name, match, mask, format, kind, bytes, ...) \
    {"row_" #sym, "misplaced_" #sym, "may_" #sym, RV_KIND_##kind, bytes},
#include "core-model/riscv/rv.def"
#undef RV
};

/* One for all regions. */
static struct {
    LLVMContextRef context;
    LLVMTargetMachineRef machine;
    LLVMAttributeRef features; /* instructions of this processor */
    LLVMTypeRef i64, i32, i16, i8;
} host;

struct lowering {
    const struct region_insn *insn;
    size_t count;
    LLVMModuleRef module;
    LLVMBuilderRef at;
    const struct region_watch *observer; /* NULL: none */
    LLVMValueRef function, reg_array, base, perm, pc_result, fcsr, limit, watch;
    LLVMValueRef reg[REGISTERS], pc, executed; /* local variables; reg: NULL: does not occur */
    LLVMBasicBlockRef block[REGION_INSNS];     /* by instruction */
    bool is_target[REGION_INSNS];              /* by instruction: it is entered or jumped to */
    LLVMBasicBlockRef dispatch, leave;
};

static LLVMValueRef lower_constant(uint64_t value) { return LLVMConstInt(host.i64, value, false); }

static LLVMValueRef lower_get(struct lowering *l, unsigned reg)
{
    return reg == 0 ? lower_constant(0) : LLVMBuildLoad2(l->at, host.i64, l->reg[reg], "");
}

static LLVMValueRef lower_element(struct lowering *l, unsigned reg)
{
    LLVMValueRef index = lower_constant(reg);
    return LLVMBuildInBoundsGEP2(l->at, host.i64, l->reg_array, &index, 1, "");
}

/* The hart's register is written at once, so that leaving the region is a jump. */
static void lower_set(struct lowering *l, unsigned reg, LLVMValueRef value)
{
    if (reg == 0)
        return;
    LLVMBuildStore(l->at, value, l->reg[reg]);
    LLVMBuildStore(l->at, value, lower_element(l, reg));
}

static LLVMBasicBlockRef new_block(struct lowering *l)
{
    return LLVMAppendBasicBlockInContext(host.context, l->function, "");
}

/* Calls a function of row_semantics.c. */
static LLVMValueRef lower_call(struct lowering *l, const char *name, unsigned operands, LLVMValueRef *operand)
{
    LLVMValueRef callee = LLVMGetNamedFunction(l->module, name);
    return LLVMBuildCall2(l->at, LLVMGlobalGetValueType(callee), callee, operand, operands, "");
}

static LLVMValueRef call_two(struct lowering *l, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef operand[] = {a, b};
    return lower_call(l, name, 2, operand);
}

static LLVMValueRef call_float(struct lowering *l, const struct rv_insn *in, LLVMValueRef a, LLVMValueRef b)
{
    const unsigned mode = in->rm == FP_DYN ? FP_RNE : in->rm;
    LLVMValueRef operand[] = {a, b, lower_get(l, in->src[2]), LLVMConstInt(host.i32, mode, false), l->fcsr};
    return lower_call(l, rows[in->op].row, 5, operand);
}

static void branch_if(struct lowering *l, LLVMValueRef value, LLVMBasicBlockRef then, LLVMBasicBlockRef otherwise)
{
    LLVMBuildCondBr(l->at, LLVMBuildICmp(l->at, LLVMIntNE, value, lower_constant(0), ""), then, otherwise);
}

/* Ends the current block: the region is left before the instruction at `pc`. */
static void leave_at(struct lowering *l, uint64_t pc)
{
    LLVMBuildStore(l->at, lower_constant(pc), l->pc);
    LLVMBuildBr(l->at, l->leave);
}

static const struct region_insn *find(const struct lowering *l, uint64_t pc)
{
    size_t low = 0, high = l->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (l->insn[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->count && l->insn[low].pc == pc ? &l->insn[low] : NULL;
}

/* Ends the current block: execution goes on in `go_on` while the limit is not reached, else at l->pc outside. */
static void check_limit(struct lowering *l, LLVMBasicBlockRef go_on)
{
    LLVMValueRef executed = LLVMBuildLoad2(l->at, host.i64, l->executed, "");
    LLVMBuildCondBr(l->at, LLVMBuildICmp(l->at, LLVMIntULT, executed, l->limit, ""), go_on, l->leave);
}

/* Ends the current block: execution goes on at `target`, from the instruction at `from`. */
static void go_to(struct lowering *l, uint64_t from, uint64_t target)
{
    const struct region_insn *to = find(l, target);
    if (to == NULL) {
        leave_at(l, target);
    } else if (target > from) {
        LLVMBuildBr(l->at, l->block[to - l->insn]);
    } else {
        LLVMBuildStore(l->at, lower_constant(target), l->pc);
        check_limit(l, l->block[to - l->insn]);
    }
}

static void count_one(struct lowering *l)
{
    LLVMValueRef executed = LLVMBuildLoad2(l->at, host.i64, l->executed, "");
    LLVMBuildStore(l->at, LLVMBuildAdd(l->at, executed, lower_constant(1), ""), l->executed);
}

/* ---- calls of an observer ---- */

/* Whether the instruction may be the first one that is fetched from its line: it is entered or jumped to, or is not
 * behind another one of the line. */
static bool may_change_line(const struct lowering *l, const struct region_insn *i)
{
    const unsigned bits = l->observer->code.line_bits;
    const struct region_insn *before = i - 1;
    return l->is_target[i - l->insn] || i == l->insn || before->pc + before->in.length_bytes != i->pc ||
           before->pc >> bits != i->pc >> bits;
}

static void lower_watch_fetch(struct lowering *l, const struct region_insn *i)
{
    if (l->observer == NULL || !may_change_line(l, i))
        return;
    LLVMValueRef operand[] = {l->watch, lower_constant(l->observer->code.line_bits), lower_constant(i->pc)};
    lower_call(l, "watch_fetch", 3, operand);
}

static void lower_watch_branch(struct lowering *l, const struct region_insn *i, LLVMValueRef taken, uint64_t target)
{
    if (l->observer == NULL)
        return;
    LLVMValueRef operand[] = {l->watch, lower_constant(i->pc), taken, lower_constant(target)};
    lower_call(l, "watch_branch", 4, operand);
}

static void lower_watch_jump(struct lowering *l, const struct region_insn *i, LLVMValueRef next)
{
    if (l->observer == NULL)
        return;
    LLVMValueRef operand[] = {l->watch,
                              lower_constant(i->pc),
                              next,
                              lower_constant(i->pc + i->in.length_bytes),
                              lower_constant(i->in.opclass),
                              lower_constant(rv_is_plain_indirect(&i->in))};
    lower_call(l, "watch_jump", 6, operand);
}

/* ---- */

static void lower_branch(struct lowering *l, const struct region_insn *i, LLVMValueRef a, LLVMValueRef b)
{
    const uint64_t target = i->pc + (uint64_t)(int64_t)i->in.imm;
    LLVMBasicBlockRef taken = new_block(l), not_taken = new_block(l);
    LLVMValueRef condition = call_two(l, rows[i->in.op].row, a, b);
    lower_watch_branch(l, i, condition, target);
    branch_if(l, condition, taken, not_taken);
    LLVMPositionBuilderAtEnd(l->at, taken);
    go_to(l, i->pc, target);
    LLVMPositionBuilderAtEnd(l->at, not_taken);
    go_to(l, i->pc, i->pc + i->in.length_bytes);
}

/* Whether the aligned access is a usual one; then an observer has been called, unless the line is remembered. */
static LLVMValueRef llvm_may_access(struct lowering *l, const struct region_insn *i, LLVMValueRef address)
{
    if (l->observer == NULL)
        return call_two(l, rows[i->in.op].may, l->perm, address);
    const struct lines *lines = &l->observer->data;
    const bool is_write = rows[i->in.op].kind == RV_KIND_STORE;
    LLVMValueRef operand[] = {l->watch, lower_constant(lines->line_bits),         lower_constant(lines->mask),
                              address,  lower_constant(rows[i->in.op].mem_bytes), lower_constant(is_write)};
    return lower_call(l, "watch_access", 6, operand);
}

static void lower_access(struct lowering *l, const struct region_insn *i, LLVMValueRef address, LLVMValueRef datum)
{
    LLVMBasicBlockRef placed = new_block(l), unusual = new_block(l), usual = new_block(l);
    branch_if(l, lower_call(l, rows[i->in.op].misplaced, 1, &address), unusual, placed);
    LLVMPositionBuilderAtEnd(l->at, placed);
    branch_if(l, llvm_may_access(l, i, address), usual, unusual);
    LLVMPositionBuilderAtEnd(l->at, unusual);
    leave_at(l, i->pc);
    LLVMPositionBuilderAtEnd(l->at, usual);
    LLVMValueRef operand[] = {l->base, address, datum};
    if (rows[i->in.op].kind == RV_KIND_LOAD)
        lower_set(l, i->in.dst, lower_call(l, rows[i->in.op].row, 2, operand));
    else
        lower_call(l, rows[i->in.op].row, 3, operand);
}

static void lower_insn(struct lowering *l, const struct region_insn *i)
{
    const uint64_t next = i->pc + i->in.length_bytes, imm = (uint64_t)(int64_t)i->in.imm;
    LLVMPositionBuilderAtEnd(l->at, l->block[i - l->insn]);
    lower_watch_fetch(l, i);
    LLVMValueRef a = lower_get(l, i->in.src[0]), b = lower_get(l, i->in.src[1]), to;
    switch (rows[i->in.op].kind) {
    case RV_KIND_OPR:
        lower_set(l, i->in.dst, call_two(l, rows[i->in.op].row, a, b));
        break;
    case RV_KIND_OPI:
        lower_set(l, i->in.dst, call_two(l, rows[i->in.op].row, a, lower_constant(imm)));
        break;
    case RV_KIND_LUI:
        lower_set(l, i->in.dst, lower_constant(imm));
        break;
    case RV_KIND_AUIPC:
        lower_set(l, i->in.dst, lower_constant(i->pc + imm));
        break;
    case RV_KIND_LOAD:
    case RV_KIND_STORE:
        lower_access(l, i, LLVMBuildAdd(l->at, a, lower_constant(imm), ""), b);
        break;
    case RV_KIND_BR:
        count_one(l);
        lower_branch(l, i, a, b);
        return;
    case RV_KIND_JAL:
        count_one(l);
        lower_set(l, i->in.dst, lower_constant(next));
        lower_watch_jump(l, i, lower_constant(i->pc + imm));
        go_to(l, i->pc, i->pc + imm);
        return;
    case RV_KIND_JALR:
        count_one(l);
        to = LLVMBuildAnd(l->at, LLVMBuildAdd(l->at, a, lower_constant(imm), ""), lower_constant(~UINT64_C(1)), "");
        LLVMBuildStore(l->at, to, l->pc);
        lower_watch_jump(l, i, to);
        lower_set(l, i->in.dst, lower_constant(next));
        check_limit(l, l->dispatch);
        return;
    case RV_KIND_FENCE:
        break; /* the hart is alone */
    default:
        lower_set(l, i->in.dst, call_float(l, &i->in, a, b));
        break;
    }
    count_one(l);
    go_to(l, i->pc, next);
}

static void note_registers(const struct lowering *l, bool *occurs)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct rv_insn *in = &l->insn[i].in;
        occurs[in->dst] = occurs[in->src[0]] = occurs[in->src[1]] = occurs[in->src[2]] = true;
    }
    occurs[0] = false;
}

static void note_targets(struct lowering *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct rv_insn *in = &l->insn[i].in;
        const bool jumps = (in->flags & (RV_BRANCH | RV_JUMP)) && !(in->flags & RV_INDIRECT);
        const struct region_insn *to = jumps ? find(l, l->insn[i].pc + (uint64_t)(int64_t)in->imm) : NULL;
        l->is_target[i] |= l->insn[i].entry;
        if (to != NULL)
            l->is_target[to - l->insn] = true;
    }
}

/* The function's first block: local variables. */
static void lower_start(struct lowering *l)
{
    bool occurs[REGISTERS] = {false};
    note_registers(l, occurs);
    LLVMPositionBuilderAtEnd(l->at, new_block(l));
    l->pc = LLVMBuildAlloca(l->at, host.i64, "pc");
    l->executed = LLVMBuildAlloca(l->at, host.i64, "executed");
    for (unsigned r = 1; r < REGISTERS; r++)
        l->reg[r] = occurs[r] ? LLVMBuildAlloca(l->at, host.i64, "") : NULL;
    LLVMBuildStore(l->at, LLVMBuildLoad2(l->at, host.i64, l->pc_result, ""), l->pc);
    LLVMBuildStore(l->at, lower_constant(0), l->executed);
    l->dispatch = new_block(l);
    l->leave = new_block(l);
    LLVMBuildBr(l->at, l->dispatch);
}

/* A block that reads the registers and goes to the instruction's block. What is not used from there, LLVM removes. */
static LLVMBasicBlockRef lower_entry(struct lowering *l, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef entry = new_block(l);
    LLVMPositionBuilderAtEnd(l->at, entry);
    for (unsigned r = 1; r < REGISTERS; r++)
        if (l->reg[r] != NULL)
            LLVMBuildStore(l->at, LLVMBuildLoad2(l->at, host.i64, lower_element(l, r), ""), l->reg[r]);
    LLVMBuildBr(l->at, block);
    return entry;
}

/* The block that chooses the instruction at l->pc. */
static void lower_dispatch(struct lowering *l)
{
    LLVMPositionBuilderAtEnd(l->at, l->dispatch);
    LLVMValueRef choice = LLVMBuildSwitch(l->at, LLVMBuildLoad2(l->at, host.i64, l->pc, ""), l->leave, 16);
    for (size_t i = 0; i < l->count; i++)
        if (l->insn[i].entry)
            LLVMAddCase(choice, lower_constant(l->insn[i].pc), lower_entry(l, l->block[i]));
}

static void lower_leave(struct lowering *l)
{
    LLVMPositionBuilderAtEnd(l->at, l->leave);
    LLVMBuildStore(l->at, LLVMBuildLoad2(l->at, host.i64, l->pc, ""), l->pc_result);
    LLVMBuildRet(l->at, LLVMBuildLoad2(l->at, host.i64, l->executed, ""));
}

static void add_attribute(LLVMValueRef function, LLVMAttributeIndex at, const char *name)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, at, LLVMCreateEnumAttribute(host.context, kind, 0));
}

/* The function, of type region_function. Its pointers are to different objects, and floating-point operations keep
 * their exception flags. */
static void llvm_add_function(struct lowering *l)
{
    LLVMTypeRef words = LLVMPointerType(host.i64, 0), bytes = LLVMPointerType(host.i8, 0);
    LLVMTypeRef types[] = {words,    bytes, LLVMPointerType(host.i16, 0), words, LLVMPointerType(host.i32, 0),
                           host.i64, bytes};
    enum { TYPES = sizeof types / sizeof types[0] };
    LLVMValueRef *operand[TYPES] = {&l->reg_array, &l->base, &l->perm, &l->pc_result, &l->fcsr, &l->limit, &l->watch};
    l->function = LLVMAddFunction(l->module, "region", LLVMFunctionType(host.i64, types, TYPES, false));
    for (unsigned i = 0; i < TYPES; i++)
        *operand[i] = LLVMGetParam(l->function, i);
    for (unsigned i = 0; i < TYPES; i++)
        if (types[i] != host.i64)
            add_attribute(l->function, i + 1, "noalias");
    add_attribute(l->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "strictfp");
    LLVMAddAttributeAtIndex(l->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, host.features);
}

static void lower_region(struct lowering *l)
{
    llvm_add_function(l);
    l->at = LLVMCreateBuilderInContext(host.context);
    lower_start(l);
    for (size_t i = 0; i < l->count; i++)
        l->block[i] = new_block(l);
    note_targets(l);
    for (size_t i = 0; i < l->count; i++)
        lower_insn(l, &l->insn[i]);
    lower_dispatch(l);
    lower_leave(l);
    LLVMDisposeBuilder(l->at);
}

static LLVMModuleRef rows_module(void)
{
    LLVMModuleRef module;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        row_semantics_start, (size_t)(row_semantics_end - row_semantics_start), "rows", false);
    bool failed = LLVMParseBitcodeInContext2(host.context, buffer, &module);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed)
        return NULL;
    return module;
}

/* The rows are only for inlining. */
static void remove_unused_rows(const struct lowering *l)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module), next; f != NULL; f = next) {
        next = LLVMGetNextFunction(f);
        if (f == l->function || LLVMIsDeclaration(f))
            continue;
        if (LLVMGetFirstUse(f) == NULL)
            LLVMDeleteFunction(f);
        else
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

/* The others of LLVM's usual passes take longer than they save in runs of some seconds. */
static const char passes[] = "always-inline,function(sroa,instcombine,simplifycfg,dse)";

static LLVMExecutionEngineRef translate(LLVMModuleRef module)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, host.machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error != NULL) {
        LLVMConsumeError(error);
        LLVMDisposeModule(module);
        return NULL;
    }
    struct LLVMMCJITCompilerOptions how;
    LLVMInitializeMCJITCompilerOptions(&how, sizeof how);
    how.OptLevel = LLVMCodeGenLevelDefault;
    LLVMExecutionEngineRef engine = NULL;
    char *text = NULL;
    if (LLVMCreateMCJITCompilerForModule(&engine, module, &how, sizeof how, &text)) {
        LLVMDisposeMessage(text);
        return NULL;
    }
    return engine;
}

static void *llvm_compile(const struct region_insn *insn, size_t count, const struct region_watch *watch,
                          region_function **function)
{
    struct lowering l = {.insn = insn, .count = count, .observer = watch, .module = rows_module()};
    if (l.module == NULL)
        return NULL;
    lower_region(&l);
    remove_unused_rows(&l);
    LLVMExecutionEngineRef engine = translate(l.module);
    if (engine == NULL)
        return NULL;
    uint64_t address = LLVMGetFunctionAddress(engine, "region");
    if (address == 0) {
        LLVMDisposeExecutionEngine(engine);
        return NULL;
    }
    *function = (region_function *)(uintptr_t)address;
    return engine;
}

static void llvm_release(void *code) { LLVMDisposeExecutionEngine(code); }

static LLVMTargetMachineRef make_machine(const char *features)
{
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName(), *text = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &text) == 0)
        machine = LLVMCreateTargetMachine(target, triple, cpu, features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                          LLVMCodeModelJITDefault);
    LLVMDisposeMessage(triple);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(text);
    return machine;
}

static bool llvm_open_host(void)
{
    static const char attribute[] = "target-features";
    LLVMLinkInMCJIT();
    if (LLVMInitializeNativeTarget() != 0 || LLVMInitializeNativeAsmPrinter() != 0 ||
        LLVMInitializeNativeAsmParser() != 0)
        return false;
    char *features = LLVMGetHostCPUFeatures();
    host.machine = make_machine(features);
    if (host.machine != NULL) {
        host.context = LLVMContextCreate();
        host.features = LLVMCreateStringAttribute(host.context, attribute, sizeof attribute - 1, features,
                                                  (unsigned)strlen(features));
        host.i64 = LLVMInt64TypeInContext(host.context);
        host.i32 = LLVMInt32TypeInContext(host.context);
        host.i16 = LLVMInt16TypeInContext(host.context);
        host.i8 = LLVMInt8TypeInContext(host.context);
    }
    LLVMDisposeMessage(features);
    return host.machine != NULL;
}

const struct region_compiler *region_compiler_of_llvm(void)
{
    static const struct region_compiler compiler = {llvm_compile, llvm_release};
    return host.context != NULL || llvm_open_host() ? &compiler : NULL;
}
