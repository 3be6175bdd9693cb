# SPDX-License-Identifier: GPL-3.0-or-later
# The tests: unit suites on Check, one program per tests/unit/test_*.c, and scripts in the other folders.

UNIT_SOURCES = $(wildcard tests/unit/test_*.c)
UNIT_TESTS = $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(UNIT_SOURCES))
CHECK_LIBS = $(shell pkg-config --libs check 2>/dev/null)
UNIT_LIBS = $(LIB)/libasm.a $(LIB)/libemu.a $(LIB)/libhost.a $(LIB)/libcore-model.a $(LIB)/libisa.a

$(BUILD)/tests/unit/%: $(BUILD)/obj/tests/unit/%.o $(UNIT_LIBS)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) $(CFLAGS) -o $@ $^ $(CHECK_LIBS) $(LIBS_emu) $(LIBS_host) $(LIBS_core-model)

.PHONY: check-unit
check-unit: $(UNIT_TESTS:%=%.run)
%.run: %
	@CK_VERBOSITY=minimal $<
