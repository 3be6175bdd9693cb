# SPDX-License-Identifier: GPL-3.0-or-later
# Static checks besides the compiler's: clang's build and lint; also coverage, and the compilation database for editors.

GCC ?= gcc
# All files that are compiled for the build machine, but for the one that clang alone compiles.
HOST_SOURCES := $(filter-out $(STENCILS)/stencils.c,$(filter $(SOURCE_FOLDERS:%=%/%.c) tests/unit/%.c tests/micro/%.c \
    tests/eval/bench/%.c tests/fuzz/%.c tests/eval/export/%.c tests/terminal/drive.c tests/faults/%.c,$(SOURCE_FILES)))
COMPONENT_SOURCES = $(filter-out tests/%,$(HOST_SOURCES))
LINT_FLAGS = -std=c17 -D_GNU_SOURCE -I. -I$(BUILD)/gen

# A line of the summary that .ci/run ends with, printed as well.
SUMMARY = $(BUILD)/summary
define summarize
@mkdir -p $(SUMMARY)
@printf '%s\n' "$(1)" | tee $(SUMMARY)/$@
endef
## check-clang: everything compiled by clang, and its report compared with that of gcc's tools
## compile-all: all sources compiled, the tests' too
# Everything is compiled by clang without optimisation. The report of that pcemu must be identical to that of gcc's.
.PHONY: check-clang compile-all
check-clang: tools $(DEMO_GUESTS)
	$(MAKE) CC=clang CFLAGS=-O0 BUILD=$(BUILD)/clang WERROR=yes $(SHARED) compile-all
	tests/checks/demo.sh $(BUILD) > $(BUILD)/clang/demo.gcc 2>&1
	tests/checks/demo.sh $(BUILD)/clang > $(BUILD)/clang/demo.clang 2>&1
	cmp $(BUILD)/clang/demo.gcc $(BUILD)/clang/demo.clang
	$(call summarize,clang: the tools built by it report the same as those built by gcc)
compile-all: tools $(DEMO_GUESTS) $(call objects,$(HOST_SOURCES))
	$(call summarize,$(shell $(CC) --version | head -n 1): $(words $(HOST_SOURCES)) files compiled$(NO_WARNINGS))
comma = ,
NO_WARNINGS = $(if $(WERROR),$(comma) no warnings)

## lint: the format, shellcheck, cppcheck, the analyzer of gcc and clang-tidy, which takes minutes
## lint-fast: the format and shellcheck
## lint-format: the format of the sources, by clang-format of Debian 12; no line beyond 120 columns
## lint-shell: shellcheck
## lint-cppcheck: cppcheck
## lint-analyzer: the analyzer of gcc
## lint-tidy: clang-tidy
.PHONY: lint lint-fast lint-format lint-shell lint-cppcheck lint-analyzer lint-tidy
lint: lint-fast lint-cppcheck lint-analyzer lint-tidy
lint-fast: lint-format lint-shell

# Guests are not formatted, because reports contain their line numbers: their folders have a .clang-format.
FORMATTED := $(filter %.c %.h,$(SOURCE_FILES)) $(sort $(wildcard share/pcemu/include/pcemu/*.h share/pcemu/plugins/*.c))
lint-format:
	@clang-format --dry-run --Werror $(FORMATTED)
	$(call summarize,clang-format: clean ($(words $(FORMATTED)) files))

SCRIPTS = bootstrap .ci/run $(shell find tests share debian/tests -name '*.sh' | sort) \
    $(addprefix debian/tests/,editors plugin program) \
    $(sort $(wildcard $(addprefix share/pcemu/course/,grade handout */check)))
lint-shell:
	shellcheck --format=gcc $(SCRIPTS)
	$(call summarize,shellcheck: clean ($(words $(SCRIPTS)) files))

# Disabled checks and exceptions are listed with their reasons in tests/checks/cppcheck.supp.
lint-cppcheck: $(ASM_GEN) $(EXPORT_GEN)
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --library=tests/checks/cppcheck.cfg --suppressions-list=tests/checks/cppcheck.supp '-D__attribute__(x)=' \
	    -D_GNU_SOURCE -I. -I$(BUILD)/gen $(SOURCE_FOLDERS)
	$(call summarize,cppcheck: clean ($(words $(COMPONENT_SOURCES)) files))

# One file at a time, only if the file or an included header has changed since the last run.
PATHS_KNOW = -include tests/checks/paths.h
$(BUILD)/tidy/base/status $(BUILD)/analyzer/base/status: PATHS_KNOW = # defines what the header redefines
# gcc's analyzer, without optimisation, which makes its paths those of the source.
ANALYZER = -fanalyzer
# It does not follow HASH_ADD of uthash, which links what has been allocated into the table.
LINKED = core-model/prof/exact/exact_conflicts host/analysis/code_values host/symbols/symbols \
    host/driver/value/value_profile $(addprefix host/export/,autofdo_gcc callgrind firefox_tables speedscope) \
    tools/pcprof/run_values host/store/load host/store/load_images
$(LINKED:%=$(BUILD)/analyzer/%): ANALYZER += -Wno-analyzer-malloc-leak
# It takes the width of a vector's elements for less than it is.
$(BUILD)/analyzer/core-model/bpred/tage: ANALYZER += -Wno-analyzer-shift-count-overflow
# The analyzer does not end: computed gotos, from each word's function to every other; lists of messages; a table of
# uthash with keys of several members.
ENDLESS = emu/sequencer.c host/driver/generic_rows.c host/export/pprof.c tools/pcprof/page_flames.c
ANALYZED = $(filter-out $(ENDLESS),$(COMPONENT_SOURCES))
lint-analyzer: $(ANALYZED:%.c=$(BUILD)/analyzer/%)
	$(call summarize,gcc -fanalyzer: clean ($(words $(ANALYZED)) files))
$(BUILD)/analyzer/%: %.c $(BUILD)/obj/%.o
	@mkdir -p $(@D)
	$(call say,ANALYZE)
	$(Q)$(GCC) $(LINT_FLAGS) -O0 $(ANALYZER) $(PATHS_KNOW) -Werror -S -o /dev/null $<
	@touch $@

# Checks: .clang-tidy.
lint-tidy: $(COMPONENT_SOURCES:%.c=$(BUILD)/tidy/%)
	$(call summarize,clang-tidy: clean ($(words $(COMPONENT_SOURCES)) files))
$(BUILD)/tidy/%: %.c .clang-tidy $(BUILD)/obj/%.o
	@mkdir -p $(@D)
	$(call say,TIDY)
	$(Q)clang-tidy --quiet --warnings-as-errors='*' $< -- $(LINT_FLAGS) $(PATHS_KNOW) 2> $@.log || { cat $@.log; exit 1; }
	@touch $@

## coverage: lines and branches that all tests execute; docs/results/coverage.md; of each line in build/coverage/html
# COVERING are the tests that are run: all that run the tools with counters. COVERAGE_PAGE is written if they are all.
# The counters make it a build of its own, whose files processes of other users write, too (check-calls).
.PHONY: coverage
COVERING ?= check-units check-fuzz-corpus check-golden check-guest check-harts check-stacks check-workloads \
    check-cases check-calls check-faults check-confine check-checkpoints check-blocks check-screens check-pages \
    check-share check-export check-documents
COVERAGE_PAGE ?= docs/results/coverage.md
COVERED = $(MAKE) COVERAGE=1 BUILD=$(BUILD)/coverage $(SHARED)
coverage: workloads $(STENCIL_OBJECT)
	@[ ! -e $(BUILD)/coverage ] || find $(BUILD)/coverage -name '*.gcda' -delete
	GCOV_ERROR_FILE=/dev/null $(COVERED) tools
	@find $(BUILD)/coverage/obj -name '*.gcno' | sed 's/gcno$$/gcda/' | xargs touch
	@find $(BUILD)/coverage/obj -name '*.gcda' -exec chmod a+w '{}' +
	GCOV_ERROR_FILE=/dev/null $(COVERED) $(COVERING)
	@mkdir -p $(SUMMARY)
	@HTML=$(HTML) tests/checks/coverage/coverage.sh $(BUILD)/coverage "$(COVERAGE_PAGE)" $(SOURCE_FOLDERS) > $(SUMMARY)/$@
	@cat $(SUMMARY)/$@
HTML ?= yes

## sanitized-list: chooses the command lines that run with sanitizers; tests/golden/cli/sanitized.list
.PHONY: sanitized-list
sanitized-list: workloads $(BUILD)/confine/escape $(STENCIL_OBJECT)
	@[ ! -e $(BUILD)/coverage ] || find $(BUILD)/coverage -name '*.gcda' -delete
	GCOV_ERROR_FILE=/dev/null $(COVERED) REDUCED=1 LEFT_OUT="$(SANITIZED_LEFT_OUT) golden-cli" $(SANITIZED_TESTS)
	tests/checks/coverage/sanitized.sh $(BUILD)/coverage > $(BUILD)/sanitized.list
	mv $(BUILD)/sanitized.list tests/golden/cli/sanitized.list

## ci: after check, lint-fast and both compilers; a summary at the end
.PHONY: ci
ci: check compile-all lint-fast check-clang
	@echo
	@cat $(SUMMARY)/compile-all $(BUILD)/clang/summary/compile-all \
	    $(patsubst %,$(SUMMARY)/%,check-clang lint-format lint-shell)

## compile-commands: BUILD/compile_commands.json, for clangd and others
.PHONY: compile-commands
compile-commands: $(ASM_GEN) $(EXPORT_GEN)
	@printf '%s\n' $(HOST_SOURCES) | jq -nR --arg folder "$(CURDIR)" --arg flags '$(subst ','\'',$(CC) $(ALL_CFLAGS))' \
	    '[inputs | {directory: $$folder, file: ., command: "\($$flags) -c \(.)"}]' > $(BUILD)/compile_commands.json
