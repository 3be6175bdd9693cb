/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's command line. */
#ifndef EMU_PCEMU_OPTIONS_H
#define EMU_PCEMU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/report/render.h"

enum core_kind { CORE_OOO, CORE_INORDER, CORE_FUNCTIONAL, CORE_SAMPLES };

enum { MAX_SETTINGS = 64, MAX_ENVIRONMENT = 256 };

struct options {
    enum core_kind core;
    bool core_named;           /* by --core; otherwise the configuration decides between out-of-order and in-order */
    const char *samples;       /* CORE_SAMPLES: the file */
    const char *config;        /* a name or a file; NULL: the default */
    const char *setting[MAX_SETTINGS];
    unsigned settings;
    bool dump_config;
    const char *program;       /* NULL: none was named */
    bool no_program;
    bool no_truth;             /* nothing exact beside what is sampled */
    const char *profile;       /* the list of profilers; NULL: none */
    uint64_t max_insts, skip_insts;
    uint64_t warmup;           /* instructions simulated in detail before observation begins */
    bool warm;                 /* skipping warms caches and predictors */
    const char *start_at, *stop_at; /* places of the guest: function names or addresses; NULL: none */
    bool check;
    const char *kanata, *kanata_window; /* NULL: none; the whole run */
    const char *trace, *trace_file, *trace_window; /* NULL: none; standard error; the whole run */
    const char *sysroot;
    char *environment[MAX_ENVIRONMENT + 1]; /* the guest's; NULL-terminated */
    bool strace;
    uint64_t seed;
    const char *report;        /* -o; NULL: standard error */
    const struct report_format *format;
    struct report_view view;   /* --top, --width */
    const char *sort;          /* MEMBER[:up]; NULL: none */
    const char *stats;         /* NULL: none */
    const char *baseline;      /* statistics of the run without a program; NULL: none */
    bool debug;                /* -i: the debugger, at the terminal */
    const char *debug_script;  /* -x: the debugger's commands; NULL: none */
    char **guest;              /* the ELF file and its arguments, NULL-terminated; NULL: none */
};

/* Parses the command line; prints help or usage errors and exits where it must (status 0 or 2). */
void options_parse(struct options *o, int argc, char **argv);

#endif
