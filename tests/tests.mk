# SPDX-License-Identifier: GPL-3.0-or-later
# The tests: unit suites on Check, one program for each tests/unit/COMPONENT/test_*.c, and scripts for the rest.
# `make check BLESS=1` rewrites the golden files; review their diff like code.

UNIT_SOURCES = $(sort $(wildcard tests/unit/*/test_*.c))
# Their names are unique, so programs and tables need no folder.
UNIT_TESTS = $(patsubst %.c,$(BUILD)/tests/unit/%,$(notdir $(UNIT_SOURCES)))
CHECK_LIBS = $(shell pkg-config --libs check 2>/dev/null)
ALL_LIBS = $(call libraries,asm emu host core-model isa contract base)
export BLESS

define unit_test
$(BUILD)/tests/unit/$(notdir $(1:.c=)): $(BUILD)/obj/$(1:.c=.o) $(ALL_LIBS)
endef
$(foreach s,$(UNIT_SOURCES),$(eval $(call unit_test,$(s))))
$(UNIT_TESTS):
	$(call link,$(CHECK_LIBS) $(LIBS))

$(BUILD)/tests/unit/test_progress: $(BUILD)/obj/tools/pcemu/progress.o
$(BUILD)/tests/unit/test_progress: LIBS += $(LIB)/libbase.a
$(BUILD)/tests/unit/test_table_values: $(BUILD)/obj/tools/pcsweep/table_values.o
$(BUILD)/tests/unit/test_table_values: LIBS += $(ALL_LIBS)
$(BUILD)/tests/unit/test_region_report: $(BUILD)/obj/tools/pcsweep/region_report.o
$(BUILD)/tests/unit/test_region_report: LIBS += $(ALL_LIBS)

SERVE_REQUEST = tools/pcprof/server/request.c
$(BUILD)/tests/unit/test_serve_request $(BUILD)/tests/fuzz/replay_serve: $(call objects,$(SERVE_REQUEST))
$(BUILD)/tests/unit/test_serve_request $(BUILD)/tests/fuzz/replay_serve: LIBS := $(ALL_LIBS) $(LIBS)

$(patsubst %,$(BUILD)/obj/tests/unit/host/test_%.o,export export_frames export_firefox): | $(EXPORT_GEN)

# A program that measures analyses of profiles on guests, whose runs a unit test uses too.
DCPI = $(BUILD)/tests/dcpi $(BUILD)/tests/tables
DCPI_RUN = $(BUILD)/obj/tests/eval/experiments/dcpi_run.o
$(BUILD)/tests/dcpi: $(BUILD)/obj/tests/eval/experiments/dcpi_main.o $(DCPI_RUN) $(ALL_LIBS)
	$(call link,$(LIBS))
# The driver's table of samples on traces of many processes.
$(BUILD)/tests/tables: $(BUILD)/obj/tests/eval/experiments/tables_main.o $(ALL_LIBS)
	$(call link,$(LIBS))
# Floors of the error of a value profile, from recorded samples.
FLOORS = $(BUILD)/tests/value_floors
$(FLOORS): $(BUILD)/obj/tests/eval/experiments/value_floors_main.o $(ALL_LIBS)
	$(call link,$(LIBS))
$(BUILD)/tests/unit/test_code_resolve: $(DCPI_RUN)
$(BUILD)/tests/unit/test_code_resolve: CHECK_LIBS += $(ALL_LIBS)

# The micro-tests are one program, from several files.
MICRO = $(BUILD)/tests/test_micro
$(MICRO): $(call objects,$(sort $(wildcard tests/micro/*.c))) $(ALL_LIBS)
	$(call link,$(CHECK_LIBS) $(LIBS))

# Guests are cross-compiled. With GUESTS=BUILD those of that build are linked from there: make takes the first rule
# whose prerequisite exists.
GUESTS ?=
# What a second build takes from this one.
SHARED = GUESTS=$(abspath $(BUILD)) STENCIL_OBJECT=$(abspath $(STENCIL_OBJECT))
WORKLOADS = $(patsubst tests/eval/workloads/%.c,$(BUILD)/workloads/%,$(wildcard tests/eval/workloads/*.c))
CASES = $(foreach c,$(wildcard tests/eval/cases/*.c), \
    $(BUILD)/cases/$(notdir $(c:.c=.before)) $(BUILD)/cases/$(notdir $(c:.c=.after))) $(BUILD)/cases/divisor.again \
    $(DEMO_GUESTS)
DEMO_GUESTS = $(BUILD)/cases/compress.before $(BUILD)/cases/compress.after
DEMO = $(BUILD)/bin/pcasm $(BUILD)/bin/pcemu $(CONFIGS) $(DEMO_GUESTS)
SCREENS_DEMO = $(BUILD)/tests/screens/demo
define linked_guest
$(BUILD)/$(1): $(GUESTS)/$(1)
	@mkdir -p $$(@D)
	$$(Q)ln -f $$< $$@
endef
ifneq ($(GUESTS),)
LINKED = workloads/% harts/% stacks/% confine/% checkpoint/% blocks/% cases/%.before cases/%.after cases/%.again \
    tests/checks/screens/%
$(foreach g,$(LINKED),$(eval $(call linked_guest,$(g))))
endif

$(BUILD)/workloads/%: tests/eval/workloads/%.c
	$(compile_for_guest)
# Guests that run on several harts.
HART_GUESTS = $(patsubst tests/guest/harts/%.c,$(BUILD)/harts/%,$(wildcard tests/guest/harts/*.c))
$(BUILD)/harts/%: tests/guest/harts/%.c
	$(compile_for_guest)
$(BUILD)/harts/litmus: tests/guest/harts/litmus.def
# Guests that count their own calls: each call of an instrumented function is one of the program.
STACK_GUESTS = $(patsubst tests/guest/stacks/%,$(BUILD)/stacks/%,$(basename \
    $(wildcard tests/guest/stacks/*.c tests/guest/stacks/*.cc))) $(BUILD)/stacks/frames
$(BUILD)/stacks/%: INSTRUMENTED = -O1 -g -fno-inline -fno-pie -static -finstrument-functions
$(BUILD)/stacks/frames: INSTRUMENTED += -fno-omit-frame-pointer
$(BUILD)/stacks/%: tests/guest/stacks/%.c tests/guest/stacks/truth.h
	@mkdir -p $(@D)
	$(call say,RVCC)
	$(Q)riscv64-linux-gnu-gcc $(INSTRUMENTED) -Wall -Wextra -o $@ $<
$(BUILD)/stacks/frames: tests/guest/stacks/recursion.c tests/guest/stacks/truth.h
	@mkdir -p $(@D)
	$(call say,RVCC)
	$(Q)riscv64-linux-gnu-gcc $(INSTRUMENTED) -Wall -Wextra -o $@ $<
$(BUILD)/stacks/%: tests/guest/stacks/%.cc tests/guest/stacks/truth.h
	@mkdir -p $(@D)
	$(call say,RVCC)
	$(Q)riscv64-linux-gnu-g++ $(INSTRUMENTED) -finstrument-functions-exclude-file-list=/usr/ -Wall -Wextra -o $@ $<
# The guest that tries to leave its working folder.
$(BUILD)/confine/%: tests/guest/confine/%.c
	$(compile_for_guest)
# Guests of which checkpoints are written.
CHECKPOINT_GUESTS = $(patsubst tests/guest/checkpoint/%.c,$(BUILD)/checkpoint/%, \
    $(wildcard tests/guest/checkpoint/*.c))
$(BUILD)/checkpoint/%: tests/guest/checkpoint/%.c
	$(compile_for_guest)
# A guest without a C library, for basic-block vectors.
$(BUILD)/blocks/%: RVCC += -nostdlib -ffreestanding
$(BUILD)/blocks/%: tests/guest/blocks/%.c
	$(compile_for_guest)
# Guests of tests/guest/vectors that wait, have threads and start processes.
HART_VECTORS = $(patsubst %,$(BUILD)/harts/guest_%,blocking events process robust siginfo threads waits)
$(BUILD)/harts/guest_%: RVCC += -w
$(BUILD)/harts/guest_%: tests/guest/vectors/guest_%.c
	$(compile_for_guest)
# OpenMP's library for gcc can load plug-ins; a static one cannot, of which the linker warns.
$(BUILD)/harts/kernels $(BUILD)/harts/pin: RVCC += -fopenmp -Wl,--no-warnings
# Case studies: programs before and after a change that a profile suggested.
$(BUILD)/cases/%.before: tests/eval/cases/%.c
	$(compile_for_guest)
$(BUILD)/cases/%.after: RVCC += -D AFTER
$(BUILD)/cases/%.after: tests/eval/cases/%.c
	$(compile_for_guest)
# Workloads with such a change.
$(BUILD)/cases/%.before: tests/eval/workloads/%.c
	$(compile_for_guest)
$(BUILD)/cases/%.after: tests/eval/workloads/%.c
	$(compile_for_guest)
# A second change, for docs/store.md.
$(BUILD)/cases/%.again: RVCC += -D AFTER -D COUNTER=uint16_t
$(BUILD)/cases/%.again: tests/eval/cases/%.c
	$(compile_for_guest)
# The guest of the page that shows each report is written in assembly language.
$(BUILD)/tests/screens/%: tests/checks/screens/%.S
	@mkdir -p $(@D)
	$(call say,RVCC)
	$(Q)$(RVCC) -g -nostdlib -static -march=rv64gc -Wl,--build-id=none -o $@ $<

## workloads: the guests that tests and examples run, cross-compiled
.PHONY: workloads
workloads: $(WORKLOADS) $(CASES) $(BUILD)/harts/sharing

## check-cases: programs before and after a change that a profile suggested
.PHONY: check-cases
check-cases: tools $(PROGRAMS) $(CASES)
	tests/checks/check_cases.sh $(BUILD)

# A report of pcemu as a profile, in the formats of other tools.
EXPORTER = $(BUILD)/tests/export/from_report
$(EXPORTER): $(BUILD)/obj/tests/eval/export/from_report.o $(call libraries,host isa contract base)
	$(call link,$(LIBS_host))

## check-export: exported profiles, opened by the tools that they are for; names the tools that are not installed
.PHONY: check-export
check-export: tools $(EXPORTER) $(BUILD)/workloads/sort
	tests/checks/check_export.sh $(BUILD)
	tests/checks/check_export_store.sh $(BUILD)
	tests/checks/check_export_viewers.sh $(BUILD)
	tests/checks/check_export_samples.sh $(BUILD)
	tests/checks/check_export_layout.sh $(BUILD)

## check-html: the pages of pcprof report and serve in Chromium, and pictures in build/html; not in check: big packages
.PHONY: check-html
check-html: tools $(BUILD)/workloads/sort
	tests/checks/check_html.sh $(BUILD)
	tests/checks/check_html_serve.sh $(BUILD)

## check-sweep: studies whose workers are killed, share jobs, or lack space; by GNU parallel and Slurm; not in check
.PHONY: check-sweep
check-sweep: tools $(BUILD)/workloads/sort $(BUILD)/workloads/chase
	tests/checks/check_sweep.sh $(BUILD)
	tests/checks/check_sweep_slurm.sh $(BUILD)

# Each fuzz harness is also a test, run on its corpus, an archive that tests/fuzz/pack.sh writes.
FUZZERS = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_REPLAYS = $(FUZZERS:%=$(BUILD)/tests/fuzz/replay_%)
$(BUILD)/tests/fuzz/replay_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o $(ALL_LIBS)
	$(call link,$(LIBS))
CORPORA = $(FUZZERS:%=$(BUILD)/tests/fuzz/corpus/%)
$(BUILD)/tests/fuzz/corpus/%: tests/fuzz/corpus/%.tar
	@rm -rf $@ $@.new
	@mkdir -p $@.new
	@tar -xmf $< -C $@.new
	@mv $@.new $@

.PHONY: check check-tree check-rows check-units check-fuzz-corpus check-golden check-guest check-pages check-documents
.PHONY: check-sanitized
## check: all tests, with a second build under ASan and UBSan
# The tests that take longest on one processor begin first, so that none is idle at the end.
check: ONCE = yes
check: check-sanitized check-experiments check-documents check-export check-pages check-tree check-units \
    check-fuzz-corpus check-golden check-guest check-calls check-machines check-faults check-harts check-stacks \
    check-confine check-checkpoints check-blocks check-gdb check-workloads check-cases check-screens check-share \
    check-course check-python check-dist
	@echo "all tests passed"

## check-tree: components, tables, headers, terms and the length of lines
check-tree: tools
	tests/checks/check_components.sh $(BUILD)
	tests/checks/check_tables.sh
	tests/checks/check_language.sh
	tests/checks/check_bootstrap.sh
	tests/checks/check_headers.sh "$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARN) -Werror"

## check-rows: rows of every kind, added by their documented steps in a copy of the sources; not in check: two minutes
check-rows:
	tests/checks/rows/run.sh

## check-units: unit tests and micro-tests
# LEFT_OUT are unit tests and golden tests that are not run.
LEFT_OUT ?=
check-units: $(patsubst %,%.run,$(filter-out $(LEFT_OUT:%=$(BUILD)/tests/unit/%),$(UNIT_TESTS)) $(MICRO))
# Check forks for each test, and ends each after a time; its default of 4 seconds is too short on a loaded machine.
# Processes with sanitizers or with counters of lines fork and exit in more time than most tests take. In those builds
# a program runs all its tests in one process. FORKING are programs with tests that exit or need a process of their own.
FORKING = lockstep outfile tags
CK_FORK = $(if $(SANITIZE)$(COVERAGE),no,yes)
$(FORKING:%=$(BUILD)/tests/unit/test_%.run): CK_FORK = yes
# Experiments read the output.
%.run: %
	@CK_FORK=$(CK_FORK) CK_VERBOSITY=minimal CK_DEFAULT_TIMEOUT=120 timeout --foreground 600 $< > $<.log 2>&1 || \
	    { status=$$?; cat $<.log; echo "$<: exit status $$status (124: not ended after 600 s)"; exit 1; }
	@cat $<.log

## check-fuzz-corpus: the fuzz harnesses on their corpora
check-fuzz-corpus: $(FUZZ_REPLAYS) $(CORPORA)
	@set -e; for f in $(FUZZERS); do \
	    $(BUILD)/tests/fuzz/replay_$$f $(BUILD)/tests/fuzz/corpus/$$f; \
	    tests/fuzz/pack.sh $(BUILD)/tests/fuzz/corpus/$$f | cmp -s - tests/fuzz/corpus/$$f.tar || { \
	        echo "$(BUILD)/tests/fuzz/corpus/$$f is not what tests/fuzz/corpus/$$f.tar holds: run tests/fuzz/pack.sh"; exit 1; }; \
	done

# The program that runs another one at a pseudo-terminal, and the guests for its tests.
TERMINAL = $(addprefix $(BUILD)/tests/terminal/,drive forever line)
$(BUILD)/tests/terminal/drive: $(BUILD)/obj/tests/terminal/drive.o
	$(call link,-lutil)
$(BUILD)/tests/terminal/forever $(BUILD)/tests/terminal/line: $(BUILD)/tests/terminal/%: tests/terminal/%.c
	$(compile_for_guest)

# Separate targets, so that they run in parallel; the longest first.
GOLDEN = golden-debug golden-cli golden-json golden-asm golden-programs golden-terminal
# REDUCED: without tests that need not be run with sanitizers, as they are also run without.
REDUCED ?= $(SANITIZE)
# Computed mostly outside the tools.
ifeq ($(REDUCED),)
GOLDEN += golden-oracle
endif
## check-golden: the tools' output compared with the expected output; BLESS=1 rewrites that
.PHONY: $(GOLDEN)
check-golden: $(filter-out $(LEFT_OUT),$(GOLDEN))
## golden-debug: scripts of the debugger
## golden-cli: command lines of the tools
## golden-json: every key of reports and statistics, and the schema
## golden-asm: listings and errors of the assembler
## golden-programs: reports of the shipped programs
## golden-terminal: the debugger at a pseudo-terminal
## golden-oracle: the oracle, computed a second time from the text of --trace
$(GOLDEN): tools $(PROGRAMS) $(WORKLOADS) $(CASES) $(BUILD)/harts/sharing $(TERMINAL)
# Scripts that are run without sanitizers only, by their folder's list.
SKIPPED = $(shell sed -n 's/ skip$$//p' /dev/null $(wildcard tests/golden/$*/sanitized.list))
GOLDEN_ALL = $(basename $(notdir $(wildcard tests/golden/$*/*.cmd)))
# ONCE: scripts that are run with sanitizers are not run without.
GOLDEN_SCRIPTS = $(if $(SANITIZE),$(filter-out $(SKIPPED),$(GOLDEN_ALL)),$(filter \
    $(if $(and $(ONCE),$(filter cli,$*)),$(SKIPPED),%),$(GOLDEN_ALL)))
golden-debug golden-cli: golden-%:
	tests/golden/run_cli.sh $(BUILD) $* $(GOLDEN_SCRIPTS)
golden-json:
	tests/checks/check_json.sh $(BUILD) $(if $(REDUCED),--run)
golden-asm: $(BUILD)/bin/pasm-words
	tests/golden/run_asm.sh $(BUILD)/bin
golden-programs:
	$(if $(REDUCED),SCHEMA=no )tests/golden/run_programs.sh $(BUILD)
golden-terminal:
	tests/terminal/run.sh $(BUILD)
golden-oracle:
	tests/checks/check_oracle.sh $(BUILD) branchy chase stores

# A program that makes system calls of another one fail, and a guest without calls of its own.
FAULTS = $(BUILD)/tests/faults/inject $(BUILD)/tests/faults/nothing
$(BUILD)/tests/faults/inject: $(BUILD)/obj/tests/faults/inject.o
	$(link)
$(BUILD)/tests/faults/nothing: tests/faults/nothing.S
	@mkdir -p $(@D)
	$(call say,RVCC)
	$(Q)$(RVCC) -nostdlib -static -march=rv64gc -Wl,--build-id=none -o $@ $<
## check-faults: pcasm and pcemu with each call on their files failing, killed or signalled, and killed at other moments
## faults: the same with all tools, calls that go on failing, and KILLS (default 1000) moments; takes minutes
.PHONY: check-faults faults
KILLS ?= 1000
check-faults faults: tools $(FAULTS) $(BUILD)/programs/value.pc $(BUILD)/workloads/sort
	tests/faults/run.sh $(BUILD) $(if $(filter faults,$@),all)
	tests/faults/kills.sh $(BUILD) $(if $(filter faults,$@),$(KILLS),60)

## check-oracle: golden-oracle of more workloads
.PHONY: check-oracle
check-oracle: tools $(WORKLOADS)
	tests/checks/check_oracle.sh $(BUILD) branchy chase compiler compress coremix dense hashjoin ilp interp invariant \
	    pixels sort stores

## check-guest: instructions compared with qemu-riscv64 and with the disassembler of binutils
check-guest: export RVGEN_FLAGS = $(if $(COVERAGE),--coverage)
check-guest: tools $(WORKLOADS)
	tests/guest/vectors/run_disassembly.sh $(BUILD)
	tests/guest/vectors/run_riscv.sh $(BUILD)

## check-harts: litmus tests, counters and locks on several harts, on both cores
## check-litmus: LITMUS_RUNS (default 1000000) runs of each shape of litmus test on 2, 3 or 4 harts; takes an hour
.PHONY: check-harts check-litmus
LITMUS_RUNS ?= 1000000
check-harts: tools $(HART_GUESTS) $(HART_VECTORS)
	tests/guest/harts/run.sh $(BUILD)
check-litmus: tools $(BUILD)/harts/litmus
	tests/guest/harts/run.sh $(BUILD) litmus $(LITMUS_RUNS)

## check-stacks: call stacks of recursion, signals, threads, co-routines and exceptions against those the guests count
.PHONY: check-stacks
check-stacks: tools $(STACK_GUESTS)
	tests/guest/stacks/run.sh $(BUILD)

## check-checkpoints: runs that go on from checkpoints, beside those that are not interrupted
.PHONY: check-checkpoints
check-checkpoints: tools $(CHECKPOINT_GUESTS) $(BUILD)/programs/value.pc
	tests/guest/checkpoint/run.sh $(BUILD)

## check-blocks: basic-block vectors, beside those from a log of qemu-riscv64, and with interpreted code
.PHONY: check-blocks
check-blocks: tools $(BUILD)/blocks/straight $(CHECKPOINT_GUESTS) $(WORKLOADS)
	tests/guest/blocks/run.sh $(BUILD)

## check-confine: a guest that tries to leave --confine, --read-only and --no-network
.PHONY: check-confine
check-confine: tools $(BUILD)/confine/escape $(BUILD)/tests/faults/inject
	tests/guest/confine/check_confine.sh $(BUILD)

## check-gdb: guests debugged by gdb over --gdb, with the output of qemu-riscv64; names gdb if it is not installed
.PHONY: check-gdb
check-gdb: tools
	tests/guest/gdb/run.sh $(BUILD)

## check-workloads: small workloads on every core, with --check and without
## check-long: the workloads in full on every core, with --check and without
.PHONY: check-workloads check-long
check-workloads: tools $(PROGRAMS) $(WORKLOADS)
	tests/checks/check_workloads.sh $(BUILD)
check-long: tools $(PROGRAMS) $(WORKLOADS)
	tests/checks/check_workloads.sh $(BUILD) long

# The pages that are generated from the tables: MANUALS are pairs of program and page.
MANUALS = isa-manual:docs/isa.md core-manual:docs/core-reference.md guest-manual:docs/guest.md \
  debugger-manual:docs/debugger-reference.md \
  columns-manual:docs/columns.md store-manual:docs/store-schema.md
MANUAL_TOOLS = $(foreach m,$(MANUALS),$(BUILD)/bin/$(firstword $(subst :, ,$(m))))
## check-pages: the generated pages of docs/ compared with their tables, and with the data in the tree
check-pages: $(MANUAL_TOOLS)
	tests/eval/counterfactual/page.sh tests/eval/counterfactual/results.tsv tests/eval/counterfactual/classes.tsv \
	    $(BUILD)/tests | \
	    diff -u docs/results/counterfactual.md -
	tests/eval/regions/page.sh tests/eval/regions/results.tsv tests/eval/regions/profiles.tsv | \
	    diff -u docs/results/regions.md -
	@bad=0; for m in $(MANUALS); do \
	    $(BUILD)/bin/$${m%%:*} | diff -u $${m#*:} - || { echo "$${m#*:} is out of date: run make docs"; bad=1; }; \
	    ! $(BUILD)/bin/$${m%%:*} > /dev/full || { echo "$${m%%:*} does not see that its output is full"; bad=1; }; \
	done; exit $$bad
## docs-screens: docs/results/screens.md, each report at 80 and at 120 columns
## check-screens: docs/results/screens.md compared with the reports, and the length of their lines
.PHONY: docs-screens check-screens
docs-screens check-screens: tools $(PROGRAMS) $(SCREENS_DEMO)
	tests/checks/screens/screens.sh $(BUILD) > $(BUILD)/tests/screens/screens.md
	$(if $(filter docs-screens,$@),cp,diff -u) $(BUILD)/tests/screens/screens.md docs/results/screens.md

# The picture of the README is generated from the demo's output.
PICTURE = docs/demo.svg
## docs-picture: docs/demo.svg, the picture of the README, from the output of the demo
.PHONY: docs-picture
docs-picture: $(DEMO)
	tests/checks/picture.sh $(BUILD) > $(BUILD)/demo.svg
	cp $(BUILD)/demo.svg $(PICTURE)

## check-documents: the commands in the documents, and the output they show; BLESS=1 rewrites its numbers
# When run by check it ends the guests early where no output is shown: of such a block only the exit status is tested.
# It leaves out the pages of the course then, as check-course has the same runs.
check-documents: tools $(PROGRAMS) $(WORKLOADS) $(HART_GUESTS) $(CASES)
	@! tests/checks/expected_guest.sh $(BUILD)/workloads/invariant || \
	    tests/checks/picture.sh $(BUILD) | diff -u $(PICTURE) - || { echo "$(PICTURE) is out of date: run make docs-picture"; exit 1; }
	tests/checks/run_documents.sh $(if $(ONCE),--short) $(BUILD) README.md docs/*.md docs/programs/*.md docs/results/*.md \
	    share/man/*.md $(if $(ONCE),,share/pcemu/course/*/README.md)

## check-python: the Python module: its notebook, tables and errors
.PHONY: check-python
check-python: tools $(BUILD)/workloads/sort
	tests/checks/check_python.sh $(BUILD)

## check-course: the exercises of share/pcemu/course accept their solutions, and name wrong answers
# COURSE_SEEDS: also that the expected answers of these seeds are accepted, which takes ten seconds for each.
.PHONY: check-course
COURSE_SEEDS ?=
check-course: tools
	tests/checks/check_course.sh $(BUILD) $(COURSE_SEEDS)

## check-share: manual pages, completions, editors' files, pkg-config's file, an installation
.PHONY: check-share
check-share: tools share
	tests/checks/check_share.sh $(BUILD)

## check-dist: the archive of dist, made twice, in two folders
.PHONY: check-dist
check-dist:
	tests/checks/check_dist.sh

## check-deb: the packages of deb, built twice, in two folders, and lintian; not in check: minutes
.PHONY: check-deb
check-deb: deb
	tests/checks/check_deb.sh $(SOURCES).tar.xz $(BUILD)/deb

## debian-programs: fetches Debian 13's riscv64 programs, once, into BUILD/debian
.PHONY: debian-programs
debian-programs:
	tests/guest/debian/get.sh $(BUILD)/debian

## check-debian: Debian 13's riscv64 programs, fetched by name, under pcemu and under qemu-riscv64
.PHONY: check-debian
check-debian: tools
	tests/guest/debian/run.sh $(BUILD)
	tests/guest/debian/rounds.sh $(BUILD)
	tests/guest/debian/folders.sh $(BUILD)

## check-debian-12: all tests, and the build by clang, in a chroot of Debian 12; root's
## check-debian-13: the same in Debian 13, with the guests as compiled here; DEBIAN_TARGETS for others
.PHONY: check-debian-12 check-debian-13
DEBIAN_TARGETS ?= check compile-all check-clang
check-debian-12 check-debian-13: check-debian-%: $(WORKLOADS) $(CASES) $(SCREENS_DEMO)
	tests/guest/debian/chroot.sh $* $(BUILD)/debian-$* $(BUILD) $(DEBIAN_TARGETS)

## check-demo-12: ./bootstrap demo on a new Debian 12: what it installs, and how much it prints; root's
## check-demo-13: the same in Debian 13
.PHONY: check-demo-12 check-demo-13
check-demo-12 check-demo-13: check-demo-%:
	tests/guest/debian/demo.sh $* $(BUILD)/demo-$*

## check-binary-12: the archive of dist-binary on a new Debian 12: the same reports as here; root's
## check-binary-13: the same in Debian 13
.PHONY: check-binary-12 check-binary-13
check-binary-12 check-binary-13: check-binary-%: dist-binary $(BUILD)/cases/compress.before
	tests/guest/debian/binary.sh $* $(BUILD)/binary-$* $(BUILD) $(DIST).tar.xz

## check-deb-12: the Containerfile's commands in new roots of Debian 12, lintian, and the packages' tests; root's
## check-deb-13: the same in Debian 13
.PHONY: check-deb-12 check-deb-13
check-deb-12 check-deb-13: check-deb-%:
	tests/guest/debian/container.sh $* $(BUILD)/deb-$*

## check-quick: tests of a minute, for each change; CONTRIBUTING.md has what they leave out
## quick-cli: its command lines
## quick-guest: its guests
# Unit tests that take more than four seconds of processor time are left out. Each of the command lines takes less than
# one.
.PHONY: check-quick quick-cli quick-guest
QUICK_LEFT_OUT = cop_random cost profileme_statistics regions report store_faults symbols warm
QUICK_CLI = baseline collect config confine cop_trace drops elf endless entry exact_counts guest help image \
    output_files output_replaced outputs parameters pipes reloaded samples spellings syscalls trace unmodelled usage
QUICK_GUESTS = code control numbers signals
check-quick: check-tree $(patsubst %,%.run,$(filter-out $(QUICK_LEFT_OUT:%=$(BUILD)/tests/unit/test_%),$(UNIT_TESTS)) \
    $(MICRO)) golden-programs golden-asm golden-debug quick-cli quick-guest
	@echo "quick tests passed"
quick-cli: tools $(PROGRAMS) $(WORKLOADS)
	tests/golden/run_cli.sh $(BUILD) cli $(QUICK_CLI)
quick-guest: tools
	GUEST_NAMES="$(QUICK_GUESTS)" tests/guest/vectors/run_riscv.sh $(BUILD) 1

## check-arm64: the packages cross-built for arm64, and golden tests of their tools under qemu-aarch64; root's
.PHONY: check-arm64
check-arm64: tools $(PROGRAMS) $(WORKLOADS) $(CASES) $(BUILD)/harts/sharing $(TERMINAL) $(BUILD)/bin/pasm-words
	tests/guest/debian/arm64.sh $(BUILD)/arm64 $(BUILD) $(QUICK_CLI)

## check-sanitized: the tests in a build that finds undefined behaviour, bad accesses and leaks
# Left out is a test that only repeats random runs, for their mean.
SANITIZED_TESTS = check-units check-fuzz-corpus check-golden check-confine
SANITIZED_LEFT_OUT = test_profileme_statistics
check-sanitized: workloads $(BUILD)/confine/escape $(STENCIL_OBJECT)
	$(MAKE) SANITIZE=1 BUILD=$(BUILD)/asan $(SHARED) LEFT_OUT=$(SANITIZED_LEFT_OUT) $(SANITIZED_TESTS)

## docs: docs/isa.md and the other generated pages
.PHONY: docs
docs: $(MANUAL_TOOLS)
	@set -e; for m in $(MANUALS); do $(BUILD)/bin/$${m%%:*} > $${m#*:}; done

$(BUILD)/bin/isa-manual: $(call libraries,isa contract base)
$(BUILD)/bin/guest-manual: $(call libraries,core-model isa contract base)
$(BUILD)/bin/guest-manual: LDLIBS = $(LIBS)
$(BUILD)/bin/debugger-manual: $(call libraries,emu isa contract base)
$(BUILD)/bin/debugger-manual: LDLIBS = $(LIBS_emu)
$(MANUAL_TOOLS): $(BUILD)/bin/%-manual: $(BUILD)/obj/tools/manuals/%_manual.o
	$(call link,$(LDLIBS))

# The fuzz harnesses, in three builds of the same sources. sanitized: libFuzzer with AddressSanitizer and
# UndefinedBehaviorSanitizer, which finds; fast: libFuzzer without sanitizers, for numbers of executions; afl: AFL++'s
# compiler and driver. The objects are in a library, so a harness is linked with, and its coverage counts, only what it
# calls.
FUZZ_BUILDS = sanitized fast afl
FUZZ_CC_sanitized = clang
FUZZ_CC_fast = clang
FUZZ_CC_afl = AFL_QUIET=1 afl-clang-fast
FUZZ_SANITIZERS = address,undefined -fno-sanitize-recover=all
FUZZ_FLAGS_sanitized = -O1 -g1 -fsanitize=fuzzer-no-link,$(FUZZ_SANITIZERS)
FUZZ_FLAGS_fast = -O2 -g1 -fsanitize-coverage=inline-8bit-counters,pc-table
FUZZ_FLAGS_afl = -O2 -g1
FUZZ_LINK_sanitized = -fsanitize=fuzzer,$(FUZZ_SANITIZERS)
FUZZ_LINK_fast = $(shell clang -print-file-name=libclang_rt.fuzzer-$(shell uname -m).a 2>/dev/null) -lstdc++
FUZZ_LINK_afl = -fsanitize=fuzzer
FUZZ_FOLDERS = $(COMPONENTS)
FUZZ_SOURCES = $(foreach r,$(FUZZ_FOLDERS),$(call sources,$(r))) $(SERVE_REQUEST)
define fuzz_build
$(BUILD)/fuzz/$(1)/obj/%.o: %.c $(BUILD)/fuzz/$(1)/flags | $(ASM_GEN) $(EXPORT_GEN)
	@mkdir -p $$(@D)
	$$(call say,CLANG)
	$$(Q)$(FUZZ_CC_$(1)) $(FUZZ_FLAGS) $(FUZZ_FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(BUILD)/fuzz/$(1)/obj/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/fuzz/$(1)/flags | $(ASM_GEN) $(EXPORT_GEN)
	@mkdir -p $$(@D)
	$$(call say,CLANG)
	$$(Q)$(FUZZ_CC_$(1)) $(FUZZ_FLAGS) $(FUZZ_FLAGS_$(1)) -w -c -o $$@ $$<
$(BUILD)/fuzz/$(1)/obj/%.memo.o: %.c $(BUILD)/fuzz/$(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CLANG)
	$$(Q)$(FUZZ_CC_$(1)) $(FUZZ_FLAGS) $(FUZZ_FLAGS_$(1)) $(FOR_memo) -MMD -MP -c -o $$@ $$<
$(BUILD)/fuzz/$(1)/obj/%.ideal.o: %.c $(BUILD)/fuzz/$(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CLANG)
	$$(Q)$(FUZZ_CC_$(1)) $(FUZZ_FLAGS) $(FUZZ_FLAGS_$(1)) $(FOR_ideal) -MMD -MP -c -o $$@ $$<
$(BUILD)/fuzz/$(1)/tested.a: $$(FUZZ_SOURCES:%.c=$(BUILD)/fuzz/$(1)/obj/%.o) \
    $(STAGES_AGAIN:%=$(BUILD)/fuzz/$(1)/obj/%.o) \
    $$(patsubst $(BUILD)/gen/%.c,$(BUILD)/fuzz/$(1)/obj/gen/%.o,$(ASM_GEN) $(EXPORT_GEN))
	@rm -f $$@
	$$(call say,AR)
	$$(Q)ar rcs --thin $$@ $$^
$(BUILD)/fuzz/$(1)/%: $(BUILD)/fuzz/$(1)/obj/tests/fuzz/fuzz_%.o $(BUILD)/fuzz/$(1)/tested.a
	$$(call say,LINK)
	$$(Q)$(FUZZ_CC_$(1)) $(FUZZ_FLAGS_$(1)) -o $$@ $$^ $$(FUZZ_LINK_$(1)) $(LIBS)
ifneq ($$(file <$(BUILD)/fuzz/$(1)/flags),$$(strip $(FUZZ_CC_$(1)) $(FUZZ_FLAGS_$(1))))
.PHONY: $(BUILD)/fuzz/$(1)/flags
endif
$(BUILD)/fuzz/$(1)/flags:
	@mkdir -p $$(@D)
	$$(Q)printf '%s\n' '$$(strip $(FUZZ_CC_$(1)) $(FUZZ_FLAGS_$(1)))' > $$@
endef
# The words of the inputs' languages, from the tables that define them.
$(BUILD)/tests/fuzz/dictionary: $(BUILD)/obj/tests/fuzz/dictionary.o $(ALL_LIBS)
	$(call link,$(LIBS))
$(BUILD)/fuzz/dictionary/%: $(BUILD)/tests/fuzz/dictionary
	@mkdir -p $(@D)
	$(Q)$< $* > $@
FUZZ_FLAGS = -std=c17 -D_GNU_SOURCE -I. -I$(BUILD)/gen
$(foreach b,$(FUZZ_BUILDS),$(eval $(call fuzz_build,$(b))))
DICTIONARIES = $(FUZZERS:%=$(BUILD)/fuzz/dictionary/%)
## fuzz: the fuzz harnesses, FUZZ_SECONDS (60) each, random system calls, and fuzz-riscv; FUZZERS names some harnesses
## fuzz-afl: the same harnesses under AFL++, FUZZ_SECONDS each
## fuzz-lockstep: random code on the cores in lock-step with the functional core, for FUZZ_SECONDS
.PHONY: fuzz fuzz-afl fuzz-lockstep
FUZZ_SECONDS ?= 60
fuzz: fuzz-riscv tools $(BUILD)/calls/calls $(DICTIONARIES) $(CORPORA) \
    $(foreach b,sanitized fast,$(FUZZERS:%=$(BUILD)/fuzz/$(b)/%))
	tests/fuzz/run.sh libfuzzer $(BUILD) $(FUZZ_SECONDS) $(FUZZERS) calls
fuzz-afl: $(FUZZERS:%=$(BUILD)/fuzz/afl/%) $(DICTIONARIES) $(CORPORA)
	tests/fuzz/run.sh afl $(BUILD) $(FUZZ_SECONDS) $(FUZZERS)
fuzz-lockstep: $(BUILD)/fuzz/sanitized/lockstep $(BUILD)/fuzz/fast/lockstep $(BUILD)/tests/fuzz/corpus/lockstep
	tests/fuzz/run.sh libfuzzer $(BUILD) $(FUZZ_SECONDS) lockstep

# A guest that makes random system calls, as the table of the emulator has them.
$(BUILD)/calls/calls: RVCC += -I.
$(BUILD)/calls/calls: tests/guest/calls/calls.c core-model/linux/syscall.def
	$(compile_for_guest)
## fuzz-calls: FUZZ_CALLS (default 1000000) random system calls with hostile arguments, as a user without rights
## check-calls: a few of them
.PHONY: fuzz-calls check-calls
FUZZ_CALLS ?= 1000000
fuzz-calls: tools $(BUILD)/calls/calls
	tests/guest/calls/run.sh $(BUILD) $(FUZZ_CALLS)
check-calls: tools $(BUILD)/calls/calls
	tests/guest/calls/run.sh $(BUILD) 10000

## fuzz-machines: the workloads on FUZZ_MACHINES (default 1000) random configurations, with and without memoised states
## check-machines: on a few of them
.PHONY: fuzz-machines check-machines
FUZZ_MACHINES ?= 1000
FUZZ_SEED ?= 1000
fuzz-machines: tools $(PROGRAMS) $(WORKLOADS)
	tests/fuzz/machines.sh $(BUILD) $(FUZZ_MACHINES) $(FUZZ_SEED)
check-machines: tools $(PROGRAMS) $(WORKLOADS)
	tests/fuzz/machines.sh $(BUILD) 20

## fuzz-riscv: about 80 million random instructions, under pcemu and under qemu-riscv64
.PHONY: fuzz-riscv bench
fuzz-riscv: tools
	CORES=functional tests/guest/vectors/run_riscv.sh $(BUILD) 80 1000

## bench: speed of the functional core beside qemu-riscv64, of the co-processor, of the detailed cores and of warming
BENCHES = $(BUILD)/tests/bench/cop_speed $(BUILD)/tests/bench/turns
bench: tools $(BENCHES) $(PROGRAMS) $(BUILD)/tests/bench/busy.pc $(WORKLOADS)
	tests/eval/bench/run.sh $(BUILD)
	tests/eval/bench/threads.sh $(BUILD)
	$(BUILD)/tests/bench/cop_speed $(BUILD)/programs/value.pc
	$(BUILD)/tests/bench/cop_speed $(BUILD)/programs/edge.pc
	$(BUILD)/tests/bench/cop_speed $(BUILD)/tests/bench/busy.pc 20000 4000
	tests/eval/bench/core.sh $(BUILD)
	tests/eval/bench/stages.sh $(BUILD)
	tests/eval/bench/warm.sh $(BUILD) 2
## bench-real: the functional core beside qemu-riscv64 on Debian's programs, ROUNDS (3); BUILD/real has the programs
.PHONY: bench-real
ROUNDS ?= 3
bench-real: tools $(BUILD)/tests/bench/turns
	tests/eval/bench/real/run.sh $(BUILD) $(ROUNDS)
## experiments: the pages of docs/ with results of the model; the targets below write one each
.PHONY: experiments sweep experiments-cp experiments-tip experiments-pm experiments-dcpi experiments-shelf \
    experiments-workloads experiments-profilers experiments-speed experiments-estimates experiments-autofdo \
    experiments-harts experiments-adaptive experiments-intervals experiments-counterfactual experiments-regions \
    check-experiments
experiments: sweep experiments-cp experiments-tip experiments-pm experiments-dcpi experiments-shelf \
    experiments-workloads experiments-profilers experiments-speed experiments-estimates experiments-autofdo \
    experiments-harts experiments-adaptive experiments-intervals experiments-counterfactual experiments-regions
# The papers' evaluations, on regions of about 100 M instructions, which take half a minute each. The script prints the
# remaining time. SCALE below 1 makes the regions shorter.
SCALE ?= 1
TIP_TESTS = $(patsubst %,$(BUILD)/tests/unit/test_%.run,prof tip_figures)
DCPI_TESTS = $(patsubst %,$(BUILD)/tests/unit/test_%.run,analysis frequency schedule)
PM_TESTS = $(patsubst %,$(BUILD)/tests/unit/test_%.run,counts profileme profileme_statistics)
define experiments
SCALE=$(SCALE) tests/eval/experiments/run.sh $(BUILD) $(1) > $(BUILD)/$(2).md
cp $(BUILD)/$(2).md docs/results/$(2).md
$(if $(filter d,$(1)),,cp $(BUILD)/experiments/$(1)-*.svg docs/results/figures)
endef
## experiments-cp: the co-processor paper's evaluation, an hour (SCALE=0.1: 3 minutes; REAL=no: own workloads)
experiments-cp: tools $(PROGRAMS) $(WORKLOADS) $(FLOORS)
	$(call experiments,cp,coprocessor)
## experiments-tip: the TIP paper's evaluation
experiments-tip: tools $(PROGRAMS) $(WORKLOADS) $(TIP_TESTS)
	$(call experiments,t,tip)
## experiments-pm: the ProfileMe paper's evaluation
experiments-pm: tools $(PROGRAMS) $(WORKLOADS) $(PM_TESTS)
	$(call experiments,pm,profileme)
## experiments-dcpi: the DCPI paper's evaluation
experiments-dcpi: tools $(PROGRAMS) $(WORKLOADS) $(DCPI) $(DCPI_TESTS)
	$(call experiments,d,dcpi)
## experiments-shelf: each shipped program on every workload
experiments-shelf: tools $(PROGRAMS) $(WORKLOADS)
	$(call experiments,shelf,shelf)
## experiments-estimates: counts and estimates compared with exact counts (SCALE=0.02: about ten minutes)
experiments-estimates: tools $(PROGRAMS) $(WORKLOADS)
	$(call experiments,estimates,estimates)
# All experiments on the beginnings of the project's workloads. Data, pictures and verdicts must exist, and shapes that
# do not depend on the length must hold.
## check-experiments: the experiments on the beginnings of the project's workloads
check-experiments: tools $(PROGRAMS) $(WORKLOADS) $(FLOORS) $(TIP_TESTS) $(PM_TESTS) $(DCPI) $(DCPI_TESTS)
	tests/eval/experiments/check.sh $(BUILD)
## inputs: tools, guests and tests that the longest tests run
.PHONY: inputs
inputs: all workloads $(EXPORTER) $(HART_GUESTS) $(CASES) $(DCPI) $(FLOORS) \
    $(basename $(TIP_TESTS) $(PM_TESTS) $(DCPI_TESTS))

# Pages written by a single script: script, build, page.
define page
$(1) $(2) > $(BUILD)/$(3).md
cp $(BUILD)/$(3).md docs/results/$(3).md
endef
## experiments-intervals: how often the reports' 95 % intervals hold, on Debian's programs
experiments-intervals: tools $(PROGRAMS)
	tests/eval/intervals/run.sh $(BUILD) > $(BUILD)/intervals.md
	mv $(BUILD)/intervals.md docs/results/intervals.md
## experiments-counterfactual: which metrics predict what the removal of a cause of delay gains, on Debian's programs
experiments-counterfactual: tools $(WORKLOADS)
	tests/eval/counterfactual/run.sh $(BUILD) > $(BUILD)/counterfactual.tsv
	cp $(BUILD)/counterfactual.tsv tests/eval/counterfactual/results.tsv
	cp $(BUILD)/counterfactual/classes.tsv tests/eval/counterfactual/classes.tsv
	tests/eval/counterfactual/page.sh tests/eval/counterfactual/results.tsv tests/eval/counterfactual/classes.tsv \
	    docs/results/figures > docs/results/counterfactual.md
## experiments-regions: whether the intervals of pcsweep estimate hold, on Debian's programs in full
experiments-regions: tools
	tests/eval/regions/run.sh $(BUILD) > $(BUILD)/regions.tsv
	cp $(BUILD)/regions.tsv tests/eval/regions/results.tsv
	cp $(BUILD)/regions/profiles.tsv tests/eval/regions/profiles.tsv
	tests/eval/regions/page.sh tests/eval/regions/results.tsv tests/eval/regions/profiles.tsv > docs/results/regions.md
## experiments-autofdo: the gain of compilation with exported profiles (needs clang)
experiments-autofdo: tools $(EXPORTER)
	$(call page,tests/eval/export/autofdo.sh,$(BUILD),autofdo)
## experiments-workloads: the workloads on both cores, and their value profiles
experiments-workloads: tools $(WORKLOADS)
	$(call page,tests/eval/workloads/table.sh,$(BUILD),workloads)
## experiments-adaptive: the adaptive value profile and simple sampling over the same samples (SEEDS=5)
experiments-adaptive: tools $(PROGRAMS) $(WORKLOADS)
	$(call page,tests/eval/bench/adaptive.sh,$(BUILD),adaptive)
## experiments-profilers: errors of the profilers of time and of reconstructed paths
experiments-profilers: tools $(WORKLOADS)
	$(call page,tests/eval/bench/profilers.sh,$(BUILD),profilers)
## experiments-harts: parallel kernels on 1, 2, 4 and 8 harts, and false sharing
experiments-harts: tools $(HART_GUESTS)
	$(call page,tests/guest/harts/table.sh,$(BUILD),harts)
## experiments-speed: Debian's programs; costs of observers and co-processor, by callgrind (builds with CALLGRIND=1)
experiments-speed: tools $(BUILD)/tests/bench/turns $(WORKLOADS)
	$(MAKE) CALLGRIND=1 all
	$(call page,tests/eval/bench/speed.sh,build/callgrind $(BUILD),speed)
## sweep: sensitivity of IPC to the structures of the core
sweep: tools $(WORKLOADS)
	$(call page,tests/eval/bench/sweep.sh,$(BUILD),sweep)

## bench-builds: relative speed of the builds in BUILDS (default: build build/pgo)
BUILDS ?= build build/pgo
.PHONY: bench-builds
bench-builds: tools $(BENCHES) $(PROGRAMS) $(WORKLOADS)
	tests/eval/bench/builds.sh $(BUILDS)
$(BUILD)/tests/bench/busy.pc: tests/eval/bench/busy.pasm $(BUILD)/bin/pcasm
	@mkdir -p $(@D)
	$(call say,PCASM)
	$(Q)$(BUILD)/bin/pcasm -o $@ $<
$(BENCHES): $(BUILD)/tests/bench/%: $(BUILD)/obj/tests/eval/bench/%.o $(call libraries,emu isa contract base)
	$(link)

## bench-store: a profile store of 1,000 runs and 100,000,000 samples: its size, and the time of pcprof's commands
.PHONY: bench-store
$(BUILD)/tests/bench/fill_store: $(BUILD)/obj/tests/eval/bench/fill_store.o $(call libraries,host isa contract base)
	$(call link,$(LIBS_host))
bench-store: tools $(BUILD)/tests/bench/fill_store $(WORKLOADS)
	tests/eval/bench/store.sh $(BUILD)

## demo: a value profile of a compressor, and the gain of the change that the profile suggests
.PHONY: demo
demo: $(DEMO)
	@tests/checks/demo.sh $(BUILD)
