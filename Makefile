# SPDX-License-Identifier: GPL-3.0-or-later
# Everything is built below $(BUILD); binaries are in $(BUILD)/bin.
#
#   make        the tools and the shipped programs' images
#   make help   all targets
#
# CFLAGS="-Og -g" is for a debugger; the default has only line numbers, for profilers and sanitizers. Objects are
# recompiled if CC or the flags differ from those of the last build in BUILD. WERROR=yes makes warnings errors.
# These variables select a variant with its own default of BUILD:
#
#   SANITIZE=1     build/asan        with AddressSanitizer and UndefinedBehaviorSanitizer
#   CALLGRIND=1    build/callgrind   with instructions that valgrind supports
#   PGO=1          build/pgo         with the profile of a training run, and link-time optimisation
#   COVERAGE=1     build/coverage    with counters of lines and branches
#
# CPPFLAGS and LDFLAGS are added. A build for another architecture names its compiler (CC, STENCIL_CC), AR, LD and
# OBJCOPY, and as RUN the command that runs the new tools, which generate files: RUN=qemu-aarch64.

.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SECONDARY:

# Commands are printed in short form; V=1 prints them in full. For the demo alone only libraries, programs and guests
# have lines of their own; on a terminal one more line shows the file at which the build is.
V ?=
Q = $(if $(V),,@)
say = $(if $(V),,$(if $(SAID),@printf '$(SAY_BEGIN)  %-7s %s$(SAY_END)' '$(1)' '$@'))
SAID = yes
SAY_BEGIN =
SAY_END = \n
ifeq ($(MAKECMDGOALS),demo)
SAID = $(or $(MAKE_TERMOUT),$(filter AR LINK RVCC,$(1)))
SAY_BEGIN = $(if $(MAKE_TERMOUT),\r\033[K)
SAY_END = $(if $(filter AR LINK RVCC,$(1)),\n)
endif
# Recipes: link all prerequisites with the libraries; compile one file for the guest.
define link
@mkdir -p $(@D)
$(call say,LINK)
$(Q)$(CC) $(ALL_LDFLAGS) $(CFLAGS) -o $@ $^ $(1)
endef
define compile_for_guest
@mkdir -p $(@D)
$(call say,RVCC)
$(Q)$(RVCC) -O2 -g -static -Wall -Wextra $(ERROR) -o $@ $<
endef

WERROR ?=
SANITIZE ?=
CALLGRIND ?=
PGO ?=
COVERAGE ?=
BUILD ?= build$(if $(SANITIZE),/asan,$(if $(CALLGRIND),/callgrind,$(if $(PGO),/pgo,$(if $(COVERAGE),/coverage))))
PREFIX ?= /usr/local
DESTDIR ?=
RUN ?=
CPPFLAGS ?=
LDFLAGS ?=
CC = gcc
AR = ar
FLEX = flex
BISON = bison
# The cross compiler: Debian's default one, or the version that ./bootstrap demo installs.
RVCC ?= riscv64-linux-gnu-gcc$(if $(shell command -v riscv64-linux-gnu-gcc),,-12)
LD = ld
OBJCOPY = objcopy

ERROR = $(if $(WERROR),-Werror)
# Constants of an enumeration are ints, and become floating-point numbers as ints do; clang 19 warns of it.
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
    -Wundef -Wno-enum-float-conversion $(ERROR)
# Debug information for variables would take a third of the build time; optimising sanitized code more, half of it.
CFLAGS ?= $(if $(COVERAGE),-O1 -g1,$(if $(SANITIZE),-Og,-O2) -g1)
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -I. -I$(BUILD)/gen $(WARN) -fno-common -MMD -MP $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(LDFLAGS)
ifneq ($(SANITIZE),)
# At fixed addresses, and with the libraries of the sanitizers in it, a tool starts in half the time: it has no
# relocations, and fewer globals in which leaks are searched. clang always links these libraries so.
ALL_CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -fno-pie
ALL_LDFLAGS += -fsanitize=address,undefined -no-pie $(if $(findstring clang,$(CC)),,-static-libasan -static-libubsan)
endif
ifneq ($(CALLGRIND),)
ALL_CFLAGS += -DGUEST_ADDRESS_BITS=35
endif
ifneq ($(COVERAGE),)
# Without inlining each line has the branches of its source, wherever it is called: no copies, also of always_inline.
# Tests have functions that are meant to be inlined.
COUNTING = -fno-inline -Dalways_inline=unused
$(BUILD)/obj/tests/%: COUNTING = -fno-inline
ALL_CFLAGS += --coverage $(COUNTING) -include tests/checks/coverage/coverage.h
ALL_LDFLAGS += --coverage
endif
ifeq ($(PGO),train)
ALL_CFLAGS += -fprofile-generate
ALL_LDFLAGS += -fprofile-generate
else ifneq ($(PGO),)
$(BUILD)/obj/core-model/% $(BUILD)/obj/emu/%: ALL_CFLAGS += -fprofile-use -fprofile-correction -flto=auto -w
ALL_LDFLAGS += -flto=auto
TRAINED = $(BUILD)/trained
endif

# The compiler and its flags, without the paths of the build. The file is written only if they have changed since
# the last build.
FLAGS := $(strip $(CC) $(filter-out -I%,$(ALL_CFLAGS)) $(PGO:%=PGO=%))
ifneq ($(file <$(BUILD)/flags),$(FLAGS))
.PHONY: $(BUILD)/flags
endif
$(BUILD)/flags:
	@mkdir -p $(@D)
	$(Q)printf '%s\n' '$(subst ','\'',$(FLAGS))' > $@

# Libraries that the components' code needs. A component is a folder and a library: the objects of all its .c files,
# which the library names instead of holding copies (--thin).
LIBS_emu = -lreadline
LIBS_core-model = -lelf -lconfuse -lzstd -lm
LIBS_host = -ldw -lconfuse -lelf -liberty -ljansson -lsqlite3 -lprotobuf-c -lz -lzstd -llzma -lm
LIBS_pcemu = -lseccomp
LIBS_pcprof = -lmicrohttpd
LIBS = $(LIBS_pcemu) $(LIBS_emu) $(LIBS_host) $(LIBS_core-model)

COMPONENTS = base contract isa asm emu core-model host
SOURCE_FOLDERS = $(COMPONENTS) tools
# Sources of a program of their own, which are no part of the component.
STENCILS = core-model/riscv/translate/stencils
# All sources, listed once: make's own time is a part of each build.
SOURCE_FILES := $(sort $(shell find $(SOURCE_FOLDERS) tests -name '*.[chly]' -o -name '*.def' -o -name '*.inc'))
sources = $(filter-out $(STENCILS)/%,$(filter $(1)/%.c,$(SOURCE_FILES)))
objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

ASM_GEN = $(BUILD)/gen/asm/parser.c $(BUILD)/gen/asm/lexer.c
EXPORT_GEN = $(BUILD)/gen/host/export/pprof.pb-c.c
PAGE_GEN = $(BUILD)/gen/tools/pcprof/page_parts.c
STENCIL_GEN = $(BUILD)/gen/core-model/riscv/translate/stencil_tables.c
generated_objects = $(patsubst $(BUILD)/gen/%.c,$(BUILD)/obj/gen/%.o,$(1))
GENERATED_asm = $(ASM_GEN)
GENERATED_host = $(EXPORT_GEN)
GENERATED_core-model = $(STENCIL_GEN)
GENERATED_pcprof = $(PAGE_GEN)
# Objects that are joined from others.
STAGES_AGAIN = core-model/pipe/stages.memo core-model/pipe/stages.ideal
JOINED_core-model = $(STAGES_AGAIN) core-model/riscv/translate/enter

LIB = $(BUILD)/lib
define component_library
OBJ_$(1) := $$(call objects,$$(call sources,$(1)) $$(JOINED_$(1):%=%.c)) \
    $$(call generated_objects,$$(GENERATED_$(1)))
$(LIB)/lib$(1).a: $$(OBJ_$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(call say,AR)
	$$(Q)$$(AR) rcs --thin $$@ $$^
endef
$(foreach c,$(COMPONENTS),$(eval $(call component_library,$(c))))
libraries = $(patsubst %,$(LIB)/lib%.a,$(1))

# With PGO=1 everything is compiled twice; a file's counts are next to its object, where -fprofile-use searches them.
$(BUILD)/trained: $(filter-out tests/%,$(SOURCE_FILES)) tests/eval/bench/train.sh
	$(MAKE) PGO=train BUILD=$(BUILD)/train all workloads
	find $(BUILD)/train -name '*.gcda' -delete
	tests/eval/bench/train.sh $(BUILD)/train
	@mkdir -p $(BUILD)/obj
	cd $(BUILD)/train/obj && find . -name '*.gcda' -exec cp --parents '{}' $(abspath $(BUILD)/obj) ';'
	@touch $@

# In tests with sanitizers the cores take most of the time. Optimised more, they take a quarter less, and compile in 13
# seconds more.
ifneq ($(SANITIZE),)
$(foreach f,bpred front inorder mem pipe probe riscv,$(BUILD)/obj/core-model/$(f)/%): CFLAGS = -O1 -g1
endif

# Without optimisation tests compile in half of the time. What they test is optimised. With sanitizers they would run
# longer by as much.
$(BUILD)/obj/tests/unit/% $(BUILD)/obj/tests/micro/% $(BUILD)/obj/tests/fuzz/%: FILE_CFLAGS = $(if $(SANITIZE),,-O0)
$(BUILD)/obj/%.o: %.c $(BUILD)/flags $(TRAINED)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) $(FILE_CFLAGS) -c -o $@ $<

# The stages of the out-of-order core are compiled a second time, for cycles that are memoised
# (core-model/pipe/outside.h), and some a third time, for idealised instructions (core-model/pipe/idealised.h), into
# one object each. Its symbols are local but for the function that runs a cycle.
STAGES_memo = commit cycle fetch issue lsq rename squash stats
STAGES_ideal = commit cycle fetch issue lsq rename
FOR_memo = -DMEMOISED=1
FOR_ideal = -DIDEALISED=1
define stages_again
$(BUILD)/obj/%.$(1).o: FILE_CFLAGS = $$(FOR_$(1)) -fno-lto
$(BUILD)/obj/%.$(1).o: %.c $(BUILD)/flags $(TRAINED)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(FILE_CFLAGS) -c -o $$@ $$<
%/core-model/pipe/stages.$(1).o: $$(foreach s,$$(STAGES_$(1)),%/core-model/pipe/$$(s).$(1).o)
	@mkdir -p $$(@D)
	$$(call say,STAGES)
	$$(Q)$$(LD) -r -o $$@ $$^
	$$(Q)$$(OBJCOPY) --redefine-sym core_cycle_tick=$(1)_cycle_tick --keep-global-symbol=$(1)_cycle_tick $$@
endef
$(foreach v,memo ideal,$(eval $(call stages_again,$(v))))

# The replay's actions follow each other in thousands of orders: for its one switch, conditional branches are predicted
# better than an indirect jump.
$(BUILD)/obj/core-model/pipe/memo/replay.o: FILE_CFLAGS = -fno-jump-tables

# The generated scanner and parser are compiled without the project's warnings.
$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(filter-out $(WARN),$(ALL_CFLAGS)) -c -o $@ $<

$(BUILD)/obj/%.o: %.S $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,AS)
	$(Q)$(CC) -c -o $@ $<

$(BUILD)/gen/asm/parser.c: asm/parser.y
	@mkdir -p $(@D)
	$(call say,BISON)
	$(Q)$(BISON) -Wall $(ERROR) -d -o $@ $<

$(BUILD)/gen/asm/lexer.c: asm/lexer.l $(BUILD)/gen/asm/parser.c
	@mkdir -p $(@D)
	$(call say,FLEX)
	$(Q)$(FLEX) -o $@ $<

# Files that include the parser's header depend on bison's output.
$(OBJ_asm): | $(BUILD)/gen/asm/parser.c $(BUILD)/gen/asm/lexer.c

# pprof's messages, by the compiler of protobuf-c. It writes the header too.
$(BUILD)/gen/%.pb-c.c: %.proto
	@mkdir -p $(@D)
	$(call say,PROTOC)
	$(Q)protoc-c --c_out=$(BUILD)/gen $<
$(BUILD)/obj/host/export/pprof.o: | $(EXPORT_GEN)

# The style and the script of pcprof report's page, and the script of pages that pcprof serve answers with, with their
# hashes.
PARTS_page_css = $(sort $(wildcard tools/pcprof/html/*.css))
PARTS_page_js = $(sort $(wildcard tools/pcprof/html/*.js))
PARTS_live_js = tools/pcprof/html/live/live.js
PAGE_PARTS = page_css page_js live_js
$(PAGE_GEN): tools/pcprof/html/parts.sh $(foreach p,$(PAGE_PARTS),$(PARTS_$(p)))
	@mkdir -p $(@D)
	$(call say,PAGE)
	$(Q){ $(foreach p,$(PAGE_PARTS),tools/pcprof/html/parts.sh $(p) $(PARTS_$(p)) &&) true; } > $@

# A tool is a folder of tools/, linked with the components named here, from the highest to the lowest.
TOOL_NAMES = pcasm pcdis pcemu pcprof pcsweep
TOOLS = $(TOOL_NAMES:%=$(BUILD)/bin/%)
USES_pcasm = asm isa contract base
USES_pcdis = asm isa contract base
USES_pcemu = emu asm host core-model isa contract base
USES_pcprof = host core-model isa contract base
USES_pcsweep = host core-model isa contract base
# Folders of tools/ whose code several tools have.
SHARED_pcprof = command
SHARED_pcsweep = command
# For make dist-binary they are linked a second time: the loader finds libraries in lib/ beside their folder. Without
# symbols and debug information they do not depend on the folder of the build.
DIST_TOOLS = $(TOOL_NAMES:%=$(BUILD)/dist/bin/%)
$(BUILD)/bin/pcemu $(BUILD)/dist/bin/pcemu: LDLIBS = $(LIBS)
$(foreach t,pcprof pcsweep,$(BUILD)/bin/$(t) $(BUILD)/dist/bin/$(t)): LDLIBS = $(LIBS_host) $(LIBS_core-model)
$(BUILD)/bin/pcprof $(BUILD)/dist/bin/pcprof: LDLIBS += $(LIBS_pcprof)
$(DIST_TOOLS): private ALL_LDFLAGS += -s -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'
define tool
$(BUILD)/bin/$(1) $(BUILD)/dist/bin/$(1): \
    $$(call objects,$$(foreach f,$(1) $$(SHARED_$(1)),$$(call sources,tools/$$(f)))) \
    $$(call generated_objects,$$(GENERATED_$(1))) $$(call libraries,$$(USES_$(1)))
endef
$(foreach t,$(TOOL_NAMES),$(eval $(call tool,$(t))))
$(TOOLS) $(DIST_TOOLS):
	$(call link,$(LDLIBS))

# The stencils of translated code are compiled by gcc, whatever compiles the rest, and without what a function needs but
# a piece of one does not. A tool makes tables of them.
STENCIL_CC = gcc
STENCIL_CFLAGS = -std=gnu17 -D_GNU_SOURCE -I. $(filter -DGUEST%,$(ALL_CFLAGS)) -O2 -w -MMD -MP \
    -fno-pic -fno-pie -mcmodel=kernel -mno-red-zone -fcf-protection=none -fno-asynchronous-unwind-tables \
    -fomit-frame-pointer -fno-stack-protector -fno-jump-tables -fno-ipa-icf -fno-math-errno -ffunction-sections \
    -falign-functions=1 -falign-jumps=1 -falign-labels=1 -falign-loops=1
$(BUILD)/obj/$(STENCILS)/stencils.o: $(STENCILS)/stencils.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,STENCIL)
	$(Q)$(STENCIL_CC) $(STENCIL_CFLAGS) -c -o $@ $<
$(BUILD)/gen/extract: $(BUILD)/obj/$(STENCILS)/extract.o
	$(call link,-lelf)
# On other hosts than x86-64 the tables are empty, and code is interpreted. The object takes seconds to compile, and is
# the same in every build: sanitized ones have that of the first (STENCIL_OBJECT=...).
STENCIL_OBJECT := $(if $(filter x86_64-%,$(shell $(STENCIL_CC) -dumpmachine)),$(BUILD)/obj/$(STENCILS)/stencils.o)
$(STENCIL_GEN): $(STENCIL_OBJECT) $(BUILD)/gen/extract
	@mkdir -p $(@D)
	$(call say,EXTRACT)
	$(Q)$(RUN) $(BUILD)/gen/extract $(STENCIL_OBJECT) > $@

# The shipped programs are assembled by the new assembler.
PROGRAMS = $(patsubst programs/%.pasm,$(BUILD)/programs/%.pc,$(wildcard programs/*.pasm))
$(BUILD)/programs/%.pc: programs/%.pasm $(BUILD)/bin/pcasm
	@mkdir -p $(@D)
	$(call say,PCASM)
	$(Q)$(RUN) $(BUILD)/bin/pcasm -o $@ $<

# pcemu finds the core configurations relative to itself.
CONFIGS = $(patsubst core-model/config/%,$(BUILD)/share/pcemu/config/%,$(wildcard core-model/config/*.conf))
$(BUILD)/share/pcemu/config/%: core-model/config/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

# The header of plug-ins, and their sources, for pcemu --plugin-skeleton.
PLUGIN_HEADER = $(BUILD)/include/pcemu/plugin.h
PLUGIN_SOURCES = $(patsubst share/%,$(BUILD)/share/%,$(wildcard share/pcemu/plugins/*.c))
$(BUILD)/include/%: share/pcemu/include/%
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(BUILD)/share/pcemu/plugins/%: share/pcemu/plugins/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

.PHONY: all tools clean
## all: the tools, the shipped programs' images, manual pages and completions
all: tools $(PROGRAMS) share
## tools: pcasm, pcdis, pcemu, pcprof and pcsweep, below build/bin, and what they load
tools: $(LIB)/libcore-model.a $(TOOLS) $(CONFIGS) $(PLUGIN_HEADER) $(PLUGIN_SOURCES)
## clean: removes all builds
clean:
	rm -rf build

include share/share.mk
include tests/tests.mk
include tests/lint.mk

-include $(shell find $(BUILD)/obj $(wildcard $(BUILD)/fuzz/*/obj) -type f -name '*.d' 2>/dev/null)
