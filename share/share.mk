# SPDX-License-Identifier: GPL-3.0-or-later
# Installed files besides the tools: manual pages, completions, editor files, a pkg-config file. They are generated at
# build time from the tools' tables and from docs/, in $(BUILD)/share.

SHARE = $(BUILD)/share
TABLES = $(BUILD)/gen/tables
MAN_SOURCES = $(sort $(wildcard share/man/*.md))
# share/man/pcemu.1.md becomes man1/pcemu.1.
MAN_PAGES = $(foreach s,$(MAN_SOURCES:share/man/%.md=%),$(SHARE)/man/man$(subst .,,$(suffix $(s)))/$(s))
BASH_COMPLETIONS = $(TOOL_NAMES:%=$(SHARE)/bash-completion/completions/%)
ZSH_COMPLETIONS = $(TOOL_NAMES:%=$(SHARE)/zsh/site-functions/_%)
EDITORS = $(SHARE)/pcemu/editors/vim/syntax/pasm.vim $(SHARE)/pcemu/editors/vim/ftdetect/pasm.vim \
    $(SHARE)/pcemu/editors/vscode/package.json $(SHARE)/pcemu/editors/vscode/pasm.tmLanguage.json \
    $(SHARE)/pcemu/editors/vscode/language-configuration.json

## share: manual pages, completions and editor files, in build/share
.PHONY: share
share: $(MAN_PAGES) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(EDITORS)

# The tables of a tool and of its commands.
$(TABLES)/%: $(BUILD)/bin/% $(CONFIGS)
	@mkdir -p $(@D)
	$(Q)$(RUN) $< --describe > $@
	$(Q)for c in $$(sed -n '/^argument	COMMAND/,/^option/s/^word	\([a-z]*\)	.*/\1/p' $@ | grep -vx help); do \
	    $(RUN) $< $$c --describe >> $@ || exit 1; done

define man_section
$(SHARE)/man/man$(1)/%.$(1): share/man/%.$(1).md share/man/make.sh share/man/md2man.awk share/man/options.awk \
    CHANGELOG.md $(wildcard docs/*.md) $(TOOLS) $(CONFIGS) $(BUILD)/bin/isa-manual $(BUILD)/bin/core-manual
	@mkdir -p $$(@D)
	$$(call say,MAN)
	$$(Q)RUN="$(RUN)" share/man/make.sh $(BUILD) $$< > $$@
endef
$(foreach s,1 5 7,$(eval $(call man_section,$(s))))

$(SHARE)/bash-completion/completions/%: $(TABLES)/% share/completion/bash.awk share/completion/bash.sh
	@mkdir -p $(@D)
	$(call say,BASH)
	$(Q)awk -v template=share/completion/bash.sh -f share/completion/bash.awk $< > $@

$(SHARE)/zsh/site-functions/_%: $(TABLES)/% share/completion/zsh.awk
	@mkdir -p $(@D)
	$(call say,ZSH)
	$(Q)awk -f share/completion/zsh.awk $< > $@

# The words of the assembly language.
$(BUILD)/bin/pasm-words: $(BUILD)/obj/tools/manuals/pasm_words.o $(call libraries,asm isa contract base)
	$(call link)
$(TABLES)/pasm: $(BUILD)/bin/pasm-words
	@mkdir -p $(@D)
	$(Q)$(RUN) $< > $@
VERSION_HEADER = base/version.h
VERSION := $(shell sed -n 's/.* TOOLS_VERSION "\(.*\)"/\1/p' $(VERSION_HEADER))
VIM = $(SHARE)/pcemu/editors/vim
VSCODE = $(SHARE)/pcemu/editors/vscode
$(VIM)/syntax/pasm.vim: share/editors/vim.awk $(TABLES)/pasm $(VERSION_HEADER)
	@mkdir -p $(@D)
	$(call say,VIM)
	$(Q)awk -v version="$(VERSION)" -f $< $(TABLES)/pasm > $@
$(VIM)/ftdetect/pasm.vim: share/editors/vim-ftdetect.vim
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(VSCODE)/pasm.tmLanguage.json: share/editors/textmate.awk $(TABLES)/pasm $(VERSION_HEADER)
	@mkdir -p $(@D)
	$(call say,JSON)
	$(Q)awk -v version="$(VERSION)" -f $< $(TABLES)/pasm > $@
$(VSCODE)/package.json: share/editors/package.json $(VERSION_HEADER)
	@mkdir -p $(@D)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< > $@
$(VSCODE)/%: share/editors/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

# The exercises, with the scripts that grade them.
COURSE = $(patsubst share/%,%,$(sort $(shell find share/pcemu/course -type f)))
INSTALLED = $(DESTDIR)$(PREFIX)
## install: the tools and their files, below PREFIX (/usr/local), or DESTDIR and PREFIX
.PHONY: install
install: tools share
	install -d $(INSTALLED)/bin $(INSTALLED)/share/pcemu/config $(INSTALLED)/share/pcemu/programs \
	    $(INSTALLED)/share/pkgconfig $(INSTALLED)/share/doc/pcemu/docs/programs
	install $(TOOLS) $(INSTALLED)/bin
	install -m 644 docs/*.schema.json $(INSTALLED)/share/pcemu
	install -m 644 $(wildcard core-model/config/*.conf) $(INSTALLED)/share/pcemu/config
	install -d $(INSTALLED)/include/pcemu $(INSTALLED)/share/pcemu/plugins
	install -m 644 share/pcemu/include/pcemu/plugin.h $(INSTALLED)/include/pcemu
	install -m 644 $(wildcard share/pcemu/plugins/*.c) $(INSTALLED)/share/pcemu/plugins
	install -d $(INSTALLED)/share/pcemu/python
	install -m 644 share/pcemu/python/pcemu.py share/pcemu/python/study.ipynb $(INSTALLED)/share/pcemu/python
	for f in $(COURSE); do \
	    install -D -m $$([ -x share/$$f ] && echo 755 || echo 644) share/$$f $(INSTALLED)/share/$$f || exit 1; done
	install -m 644 $(wildcard programs/*.pasm) $(INSTALLED)/share/pcemu/programs
	for f in $(patsubst $(SHARE)/%,%,$(MAN_PAGES) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(EDITORS)); do \
	    install -D -m 644 $(SHARE)/$$f $(INSTALLED)/share/$$f || exit 1; done
	install -m 644 README.md CHANGELOG.md LICENSE $(INSTALLED)/share/doc/pcemu
	install -m 644 $(wildcard docs/*.md) docs/demo.svg $(INSTALLED)/share/doc/pcemu/docs
	install -m 644 $(wildcard docs/programs/*.md) $(INSTALLED)/share/doc/pcemu/docs/programs
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' share/pcemu.pc.in > $(INSTALLED)/share/pkgconfig/pcemu.pc

# Files in archives have the date of the newest entry of debian/changelog.
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell date -d "$$(sed -n '/^ -- .*>  /{s///p;q}' debian/changelog)" +%s))
SOURCES = $(BUILD)/dist/pcemu-$(VERSION)
## dist: the sources, in build/dist/pcemu-VERSION.tar.xz
.PHONY: dist
dist:
	mkdir -p $(dir $(SOURCES))
	share/sources.sh | SOURCE_DATE_EPOCH=$(EPOCH) share/pack.sh $(SOURCES)

## deb: Debian packages of the sources, for the release of Debian that runs here, in build/deb
.PHONY: deb
deb: dist
	share/deb.sh $(SOURCES).tar.xz $(BUILD)/deb

# A folder that can be anywhere: the tools, what make install installs, and the libraries that they load.
DIST = $(BUILD)/dist/pcemu-$(VERSION)-linux-$(shell dpkg --print-architecture)
## dist-binary: the installed files and the libraries they load, in build/dist/pcemu-VERSION-linux-ARCHITECTURE.tar.xz
.PHONY: dist-binary
dist-binary: tools share $(DIST_TOOLS)
	rm -rf $(DIST) $(DIST).tar.xz
	$(MAKE) BUILD=$(BUILD) DESTDIR=$(abspath $(DIST)) PREFIX= install
	install $(DIST_TOOLS) $(DIST)/bin
	SOURCE_DATE_EPOCH=$(EPOCH) share/dist.sh $(DIST)

## help: this list
.PHONY: help
help:
	@awk -f share/help.awk $(filter Makefile %.mk,$(MAKEFILE_LIST))
