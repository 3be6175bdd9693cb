/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The syntax of study files: sections and keys by name, read by libconfuse. */
#ifndef HOST_STUDY_STUDY_SYNTAX_H
#define HOST_STUDY_STUDY_SYNTAX_H

#include "host/study/study.h"

const char *study_kind_name(enum study_kind kind);
const char *study_key_name(enum study_key key);

/* Sets *study, which the caller frees, also after an error. */
enum status study_read_syntax(const char *path, const char *text, struct study **study, struct errmsg *err) MUST_USE;

#endif
