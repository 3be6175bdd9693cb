/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles in the file formats of other tools (docs/exports.md). A format is a row of formats.def and a file with
 * export_write_NAME.
 *
 * Formats hold whole numbers: a value is exported as the estimate, value times the event's scale, rounded. The same
 * profile and options give the same bytes. */
#ifndef HOST_EXPORT_EXPORT_H
#define HOST_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "host/profile/profile.h"

/* Cycles of an instruction in a category of the cycle stack (contract/timeprof.h). */
struct export_cause {
    uint32_t image;
    uint32_t category; /* enum time_category */
    uint64_t address;
    double cycles;
};
struct export_causes {
    const char *by;             /* the profiler, as in struct profile_event */
    struct export_cause *cause; /* in ascending order of image and address */
    size_t count;
};

struct export_options {
    const char *const *event;           /* only events with one of these names, NAME[@PROFILER] */
    unsigned events;                    /* 0: the format's choice */
    const char *command;                /* of the guest, as in a shell; NULL: unknown */
    int64_t run;                        /* the number of the only run; 0: unknown, or several */
    bool full_names;                    /* functions have their full names, not short ones */
    const struct export_causes *causes; /* NULL: unknown */
    void (*warn)(const char *text); /* called with one line of text for each loss that the user can avoid; NULL: none */
};

enum export_form {
#define EXPORT_FORMAT(name, shown, text, lines, file, help) EXPORT_##name,
#include "host/export/formats.def"
    EXPORT_FORMS
};

typedef enum status export_writer(const struct profile *p, const struct export_options *o, FILE *out,
                                  struct errmsg *err);

struct export_format {
    const char *name, *help;
    bool is_text, has_lines, needs_file; /* needs_file: the tool that opens it reads the images' files */
    export_writer *write;
};

extern const struct export_format export_formats[EXPORT_FORMS];
extern const char *const export_form_names[EXPORT_FORMS];

/* Writes the profile, after it has given values of no file a place in it (unknown.h). ST_INPUT: the profile lacks what
 * the format needs, or the event; the message names what is missing and what supplies it. ST_IO: a write failed. */
enum status export_write(enum export_form form, struct profile *p, const struct export_options *o, FILE *out,
                         struct errmsg *err) MUST_USE;

#define EXPORT_FORMAT(name, shown, text, lines, file, help) export_writer export_write_##name;
#include "host/export/formats.def"

#endif
