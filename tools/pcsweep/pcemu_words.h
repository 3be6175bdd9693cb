/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pcemu of a study, and what it accepts on its command line, by `pcemu --describe` (base/options.h). */
#ifndef TOOLS_PCSWEEP_PCEMU_WORDS_H
#define TOOLS_PCSWEEP_PCEMU_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sha1.h"
#include "base/status.h"

struct pcemu_option {
    char *name;
    bool has_argument, may_lack_argument, names_files;
    char **word; /* of which its argument may consist or begin with */
    size_t words;
};

struct pcemu_words {
    struct pcemu_option *option;
    size_t options;
};

/* The pcemu beside this program; the caller frees it. */
char *pcemu_path(void);
/* The hash of its file, which stands for its build. */
enum status pcemu_hash(char hash[SHA1_TEXT], struct errmsg *err) MUST_USE;
/* The caller releases the words, also after an error. */
enum status pcemu_words_load(struct pcemu_words *w, struct errmsg *err) MUST_USE;
void pcemu_words_release(struct pcemu_words *w);
/* The last message of pcemu, "pcemu: ...", in a file of its standard error; NULL: there is none. The caller
 * frees it. */
char *pcemu_last_message(const char *path);
/* NULL: there is none of the name. */
const struct pcemu_option *pcemu_words_find(const struct pcemu_words *w, const char *name);

#endif
