# SPDX-License-Identifier: GPL-3.0-or-later
# What tools other than gcc's compiler say of the sources: clang's build, lint; and the list of compilations for editors.

CLANG ?= clang
# All files that are compiled for the machine that builds.
HOST_SOURCES := $(shell find $(COMPONENTS) tests/unit tests/micro tests/bench tests/fuzz tests/terminal/drive.c -name '*.c' | sort)
COMPONENT_SOURCES = $(filter-out tests/%,$(HOST_SOURCES))
LINT_FLAGS = -std=c17 -D_GNU_SOURCE -I. -I$(BUILD)/gen

## check-clang: everything compiled by clang, and its report compared with that of gcc's tools
## compile-all: all sources compiled, the tests' too
# Everything is compiled by clang, without optimisation. Its pcemu then prints the same report as gcc's, byte for byte.
.PHONY: check-clang compile-all
check-clang: tools $(BUILD)/workloads/invariant
	$(MAKE) CC="$(CLANG)" CFLAGS=-O0 BUILD=$(BUILD)/clang WERROR=yes GUESTS=$(abspath $(BUILD)/workloads) compile-all
	tests/demo.sh $(BUILD) > $(BUILD)/clang/demo.gcc 2>&1
	tests/demo.sh $(BUILD)/clang > $(BUILD)/clang/demo.clang 2>&1
	cmp $(BUILD)/clang/demo.gcc $(BUILD)/clang/demo.clang
compile-all: tools $(BUILD)/workloads/invariant $(call objects,$(HOST_SOURCES))

## lint: the format, shellcheck, cppcheck and clang-tidy, which takes minutes
## lint-fast: the format, shellcheck and cppcheck
## lint-format: the sources as clang-format of Debian 12 writes them, and no line beyond 120 columns
## lint-shell: shellcheck
## lint-cppcheck: cppcheck
## lint-tidy: clang-tidy
.PHONY: lint lint-fast lint-format lint-shell lint-cppcheck lint-tidy
lint: lint-fast lint-tidy
lint-fast: lint-format lint-shell lint-cppcheck

# Guests keep their lines, which stand in reports: a .clang-format beside them says so.
FORMATTED := $(shell find $(COMPONENTS) tests -name '*.[ch]' -not -path 'tests/fuzz/corpus/*' | sort)
lint-format:
	@clang-format --dry-run --Werror $(FORMATTED)

SCRIPTS = bootstrap .ci/run $(shell find tests -name '*.sh' | sort)
lint-shell:
	shellcheck --format=gcc $(SCRIPTS)

# What is off, or excepted, is in tests/cppcheck.supp with its reason.
lint-cppcheck: $(ASM_GEN)
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --library=tests/cppcheck.cfg --suppressions-list=tests/cppcheck.supp '-D__attribute__(x)=' -D_GNU_SOURCE -I. -I$(BUILD)/gen \
	    $(COMPONENTS)

# One file at a time, repeated only if it, or a header that it includes, has changed. Checks: .clang-tidy.
TIDY_KNOWS = -include tests/tidy.h
$(BUILD)/tidy/isa/support/status: TIDY_KNOWS = # defines what the header redefines
lint-tidy: $(COMPONENT_SOURCES:%.c=$(BUILD)/tidy/%)
$(BUILD)/tidy/%: %.c .clang-tidy $(BUILD)/obj/%.o
	@mkdir -p $(@D)
	$(call say,TIDY)
	$(Q)clang-tidy --quiet --warnings-as-errors='*' $< -- $(LINT_FLAGS) $(TIDY_KNOWS) 2> $@.log || { cat $@.log; exit 1; }
	@touch $@

## compile-commands: BUILD/compile_commands.json, for clangd and others
.PHONY: compile-commands
compile-commands: $(ASM_GEN)
	@printf '%s\n' $(HOST_SOURCES) | jq -nR --arg folder "$(CURDIR)" --arg flags '$(subst ','\'',$(CC) $(ALL_CFLAGS))' \
	    '[inputs | {directory: $$folder, file: ., command: "\($$flags) -c \(.)"}]' > $(BUILD)/compile_commands.json
