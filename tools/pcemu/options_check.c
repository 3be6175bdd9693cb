/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Consistency of pcemu's options. */
#include "tools/pcemu/idealise.h"
#include "tools/pcemu/options.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "core-model/riscv/hart.h"
#include "tools/pcemu/checkpointing.h"

/* Returns whether the simulation has a pipeline and cycles. */
static bool has_pipeline(const struct options *o) { return o->core == CORE_OOO || o->core == CORE_INORDER; }

/* Returns whether the run has pipeline events and cycles, simulated or replayed. */
static bool has_stream(const struct options *o) { return has_pipeline(o) || o->core == CORE_REPLAY; }

/* An option that is refused. */
struct refused {
    bool given;
    const char *option, *why;
};

/* The first of the options that is given; its `option` is NULL if none is. */
static struct refused first_given(const struct refused *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].given)
            return table[i];
    return (struct refused){0};
}

/* The first given option that a replay refuses; its `option` is NULL if there is none. */
static struct refused refused_by_replay(const struct options *o)
{
    static const char program[] = "a profiling program interrupts the run, which is over",
                      machine[] = "the run has been recorded with its configuration",
                      part[] = "the recording is replayed as a whole", core[] = "no core runs",
                      guest[] = "the guest does not run again";
    const struct refused table[] = {
        {o->program != NULL, "--program", program},
        {o->param.count != 0, "--param", program},
        {o->sampler != NULL, "--sampler", program},
        {o->no_truth, "--no-truth", program},
        {o->baseline != NULL, "--baseline", program},
        {o->stacks, "--stacks", "the recording has no stack pointers"},
        {o->debug, "--interactive", program},
        {o->debug_script != NULL, "--execute", program},
        {o->gdb != NULL, "--gdb", guest},
        {o->config != NULL, "--config", machine},
        {o->setting.count != 0, "--set", machine},
        {o->ideal.count != 0, "--ideal", machine},
        {o->gain != NULL, "--gain", guest},
        {o->max_insts != UINT64_MAX, "--max-insts", part},
        {o->skip_insts != 0, "--skip-insts", part},
        {o->warm, "--warm", part},
        {o->warmup != 0, "--warmup", part},
        {o->start_at != NULL, "--start-at", part},
        {o->stop_at != NULL, "--stop-at", part},
        {o->check, "--check", core},
        {o->record != NULL, "--record", core},
        {o->record_samples != NULL, "--record-samples", core},
        {o->sysroot != NULL, "--sysroot", guest},
        {o->host_files, "--host-files", guest},
        {o->environment.count != 0, "--env", guest},
        {o->strace, "--strace", guest},
        {o->confine, "--confine", guest},
        {o->read_only, "--read-only", guest},
        {o->no_network, "--no-network", guest},
    };
    return first_given(table, sizeof table / sizeof table[0]);
}

static enum status check_replay(const struct options *o, struct errmsg *err)
{
    const struct refused refused = refused_by_replay(o);
    if (o->record_values && o->record == NULL)
        return fail(err, ST_INPUT, "--record-values requires --record FILE");
    if (o->core != CORE_REPLAY)
        return ST_OK;
    if (refused.option != NULL)
        return fail(err, ST_INPUT, "%s is incompatible with --core replay: %s", refused.option, refused.why);
    if (o->guest != NULL && o->guest[1] != NULL)
        return fail(err, ST_INPUT, "--core replay: expected an ELF file without arguments, found '%s'", o->guest[1]);
    return ST_OK;
}

/* A binary file that the guest's output gets into cannot be read. */
static enum status check_recordings(const struct options *o, struct errmsg *err)
{
    const char *const path[] = {o->record, o->record_samples, o->perf}, *const option[] = {
                                                                            "--record", "--record-samples", "--perf"};
    for (size_t i = 0; i < sizeof path / sizeof path[0]; i++)
        if (path[i] != NULL && file_is_standard_output(path[i]))
            return fail(err, ST_INPUT, "%s %s: expected another file than standard output, to which the guest writes",
                        option[i], path[i]);
    return ST_OK;
}

/* The samples are recorded instead of being given to the co-processor. */
static enum status check_record_samples(const struct options *o, struct errmsg *err)
{
    const char *option = o->debug || o->debug_script != NULL ? "the debugger"
                         : o->no_program                     ? "--no-program"
                         : o->no_truth                       ? "--no-truth"
                         : o->baseline != NULL               ? "--baseline"
                         : o->follow_children                ? "--follow-children"
                                                             : NULL;
    if (o->record_samples != NULL && option != NULL)
        return fail(
            err, ST_INPUT,
            "--record-samples is incompatible with %s: it records the samples of one process and does not run the "
            "program",
            option);
    return ST_OK;
}

static enum status check_detail(const struct options *o, struct errmsg *err)
{
    const char *option = o->check                    ? "--check"
                         : o->record != NULL         ? "--record"
                         : o->record_samples != NULL ? "--record-samples"
                         : o->warm                   ? "--warm"
                         : o->warmup != 0            ? "--warmup"
                         : o->ideal.count != 0       ? "--ideal"
                         : o->gain != NULL           ? "--gain"
                                                     : NULL;
    if (o->plugin.count != 0 && !has_stream(o))
        option = "--plugin";
    if (o->kanata != NULL && !has_stream(o))
        option = "--kanata";
    if (o->perf != NULL && !has_stream(o))
        option = "--perf";
    if (o->timeline != NULL && !has_stream(o))
        option = "--timeline";
    if (option == NULL && o->core == CORE_SAMPLES)
        option = o->start_at != NULL ? "--start-at" : o->stop_at != NULL ? "--stop-at" : NULL;
    if (option != NULL && !has_pipeline(o))
        return fail(err, ST_INPUT, "%s needs a core with a pipeline", option);
    option = o->gdb != NULL              ? "--gdb"
             : o->debug                  ? "--interactive"
             : o->debug_script != NULL   ? "--execute"
             : o->record_samples != NULL ? "--record-samples"
             : o->follow_children        ? "--follow-children"
                                         : NULL;
    if (o->gain != NULL && option != NULL)
        return fail(err, ST_INPUT, "--gain is incompatible with %s: it repeats the run", option);
    if (o->translate != 0 && (o->translate < RV_TRANSLATE_LEAST_MIB || o->translate > RV_TRANSLATE_MOST_MIB))
        return fail(err, ST_INPUT, "--translate %" PRIu64 ": expected 0, or %d to %d", o->translate,
                    RV_TRANSLATE_LEAST_MIB, RV_TRANSLATE_MOST_MIB);
    if (o->warm && o->skip_insts == 0 && o->start_at == NULL && !checkpointing_is_asked(o))
        return fail(err, ST_INPUT,
                    "--warm requires a part that is skipped, --skip-insts N or --start-at PLACE, or checkpoints");
    return ST_OK;
}

/* Checkpoints and basic-block vectors are of a functional run, from its start. */
static enum status check_whole_run(const struct options *o, const char *option, struct errmsg *err)
{
    static const char profile[] = "the run is functional and has no profile", part[] = "the run is executed as a whole",
                      debugger[] = "a debugger stops the guest";
    struct option_label label;
    const bool has_output = options_find_output(o, o->bbv, &label);
    const struct refused table[] = {
        {o->program != NULL, "--program", profile},
        {o->profile.count != 0, "--profile", profile},
        {o->plugin.count != 0, "--plugin", profile},
        {has_output, label.text, profile},
        {o->trace != NULL, "--trace", profile},
        {o->baseline != NULL, "--baseline", profile},
        {o->by_hart, "--by-hart", profile},
        {o->ideal.count != 0, "--ideal", profile},
        {o->gain != NULL, "--gain", profile},
        {o->check, "--check", profile},
        {o->follow_children, "--follow-children", profile},
        {o->warmup != 0, "--warmup", profile},
        {o->skip_insts != 0, "--skip-insts", part},
        {o->start_at != NULL, "--start-at", part},
        {o->stop_at != NULL, "--stop-at", part},
        {o->debug, "--interactive", debugger},
        {o->debug_script != NULL, "--execute", debugger},
        {o->gdb != NULL, "--gdb", debugger},
    };
    const struct refused refused = first_given(table, sizeof table / sizeof table[0]);
    if (refused.option != NULL)
        return fail(err, ST_INPUT, "%s is incompatible with %s: %s", refused.option, option, refused.why);
    return ST_OK;
}

static enum status check_vectors(const struct options *o, struct errmsg *err)
{
    if (o->bbv == NULL)
        return ST_OK;
    if (!has_pipeline(o) && o->core != CORE_FUNCTIONAL)
        return fail(err, ST_INPUT, "--bbv needs a guest that runs: expected --core ooo, inorder or functional");
    if (o->restore != NULL)
        return fail(err, ST_INPUT, "--restore is incompatible with --bbv: intervals count from the program's start");
    if (o->warm)
        return fail(err, ST_INPUT, "--warm is incompatible with --bbv: expected a run for each");
    return check_whole_run(o, "--bbv", err);
}

static enum status check_checkpoints(const struct options *o, struct errmsg *err)
{
    const char *option = o->checkpoint_at != NULL ? "--checkpoint-at" : "--checkpoint-every";
    const bool has_guest = has_pipeline(o) || o->core == CORE_FUNCTIONAL;
    if (o->restore != NULL && !has_guest)
        return fail(err, ST_INPUT,
                    "--restore needs a core that runs a guest: expected --core ooo, inorder or functional");
    if (o->checkpoint_at == NULL && o->checkpoint_every == 0)
        return ST_OK;
    if (!has_guest)
        return fail(err, ST_INPUT, "%s needs a guest that runs: expected --core ooo, inorder or functional", option);
    if (o->report == NULL || file_is_standard_output(o->report))
        return fail(err, ST_INPUT, "%s requires -o FOLDER, for the checkpoints", option);
    return check_whole_run(o, option, err);
}

/* Options that concern one hart alone. */
static enum status check_harts(const struct options *o, struct errmsg *err)
{
    const char *option = o->debug || o->debug_script != NULL ? "the debugger"
                         : o->check                          ? "--check"
                         : o->ideal.count != 0               ? "--ideal"
                         : o->gain != NULL                   ? "--gain"
                         : o->record != NULL                 ? "--record"
                         : o->record_samples != NULL         ? "--record-samples"
                         : o->kanata != NULL                 ? "--kanata"
                         : o->trace != NULL                  ? "--trace"
                         : o->stop_at != NULL                ? "--stop-at"
                         : o->baseline != NULL               ? "--baseline"
                         : o->follow_children                ? "--follow-children"
                                                             : NULL;
    if (o->by_hart && o->harts == 1)
        return fail(err, ST_INPUT, "--by-hart requires several harts: expected --harts N, N from 2 on");
    if (o->harts > 1 && !has_pipeline(o))
        return fail(err, ST_INPUT,
                    "--harts needs a core with a pipeline; all threads of the guest take turns on one hart "
                    "otherwise");
    if (o->harts > 1 && option != NULL)
        return fail(err, ST_INPUT, "--harts: %s works with one hart only", option);
    return ST_OK;
}

static enum status check_trace(const struct options *o, struct errmsg *err)
{
    if (o->timeline != NULL && (o->debug || o->debug_script != NULL || o->gdb != NULL))
        return fail(err, ST_INPUT, "--timeline is incompatible with the debugger, which stops the co-processor");
    if (o->kanata_window != NULL && o->kanata == NULL)
        return fail(err, ST_INPUT, "--kanata-window requires --kanata FILE");
    if (o->kanata_format != KANATA_FORM_KANATA && o->kanata == NULL)
        return fail(err, ST_INPUT, "--kanata-format requires --kanata FILE");
    if ((o->trace_window != NULL || o->trace_file != NULL) && o->trace == NULL)
        return fail(err, ST_INPUT, "--trace-%s requires --trace STAGE,...",
                    o->trace_window != NULL ? "window" : "file");
    return ST_OK;
}

static enum status options_check_folder(const char *option, const char *folder, const char *holds, struct errmsg *err)
{
    struct stat sb;
    if (folder != NULL && stat(folder, &sb) != 0)
        return fail(err, ST_INPUT, "%s %s: %s: expected the folder that holds %s", option, folder, strerror(errno),
                    holds);
    if (folder != NULL && !S_ISDIR(sb.st_mode))
        return fail(err, ST_INPUT, "%s %s: expected the folder that holds %s, found a file", option, folder, holds);
    return ST_OK;
}

static enum status options_check_guest(const struct options *o, struct errmsg *err)
{
    if (o->core == CORE_SAMPLES && o->guest != NULL)
        return fail(err, ST_INPUT, "--core samples: takes no guest program, found '%s'", o->guest[0]);
    if (o->core != CORE_SAMPLES && o->core != CORE_REPLAY && o->guest == NULL && o->restore == NULL)
        return fail(err, ST_INPUT, "expected an ELF file to run");
    if (o->sysroot_only && o->sysroot == NULL)
        return fail(err, ST_INPUT, "--sysroot-only requires -L");
    if (o->sysroot_only && o->host_files)
        return fail(err, ST_INPUT, "--sysroot-only and --host-files exclude each other");
    enum status st = options_check_folder("-L", o->sysroot, "the guest's files", err);
    if (st == ST_OK)
        st = options_check_folder("--debug-dir", o->debug_dir, "debug files", err);
    if (st == ST_OK && o->debug_dir != NULL && strchr(o->debug_dir, ':') != NULL)
        return fail(err, ST_INPUT, "--debug-dir %s: expected the name of one folder, without ':'", o->debug_dir);
    return st;
}

/* Options that open files after the guest has started are incompatible with restrictions of files. */
static enum status check_confinement(const struct options *o, struct errmsg *err)
{
    const char *restricts = o->confine ? "--confine" : o->read_only ? "--read-only" : NULL;
    const struct refused table[] = {
        {o->collect != NULL, "--collect", "the store is written when the guest has run"},
        {o->follow_children, "--follow-children", "the outputs of a process are opened when the guest forks it"},
        {o->debug || o->debug_script != NULL, "the debugger", "its commands read and write files"},
        {o->gdb != NULL, "--gdb", "gdb reads files, and its monitor executes commands that do"},
        {o->plugin.count != 0, "--plugin", "a plug-in is native code in the process that is to restrict the guest"},
        {o->checkpoint_at != NULL, "--checkpoint-at", "checkpoints are written while the guest runs"},
        {o->checkpoint_every != 0, "--checkpoint-every", "checkpoints are written while the guest runs"},
        {o->restore != NULL, "--restore", "the files that the checkpoint names are opened"},
    };
    if (!o->confine && (o->allow.count != 0 || o->allow_read.count != 0))
        return fail(err, ST_INPUT, "%s requires --confine", o->allow.count != 0 ? "--allow" : "--allow-read");
    if (o->read_only && o->allow.count != 0)
        return fail(err, ST_INPUT, "--allow is incompatible with --read-only: expected --allow-read");
    if (o->core == CORE_SAMPLES && (restricts != NULL || o->no_network))
        return fail(err, ST_INPUT, "%s requires a guest program", restricts != NULL ? restricts : "--no-network");
    for (size_t i = 0; restricts != NULL && i < sizeof table / sizeof table[0]; i++)
        if (table[i].given)
            return fail(err, ST_INPUT, "%s is incompatible with %s: %s", table[i].option, restricts, table[i].why);
    return ST_OK;
}

static enum status check_profiling(const struct options *o, struct errmsg *err)
{
    if (o->no_program && (o->program != NULL || o->core == CORE_SAMPLES))
        return fail(err, ST_INPUT, "--no-program is incompatible with %s",
                    o->program != NULL ? "--program" : "--core samples");
    if (o->no_truth && (o->no_program || o->core == CORE_FUNCTIONAL))
        return fail(err, ST_INPUT, "--no-truth requires a program for the co-processor");
    if (o->param.count != 0 && (o->no_program || o->core == CORE_FUNCTIONAL))
        return fail(err, ST_INPUT, "--param requires a program for the co-processor");
    if (o->sampler != NULL && (o->no_program || !has_pipeline(o)))
        return fail(err, ST_INPUT, "--sampler requires a program for the co-processor and a core");
    if (o->baseline != NULL && (o->no_program || !has_pipeline(o)))
        return fail(err, ST_INPUT, "--baseline requires a program for the co-processor and a core");
    if (o->profile.count != 0 && !has_stream(o))
        return fail(err, ST_INPUT, "--profile: only --core ooo, inorder and replay have cycles to profile");
    if (o->collect != NULL && !has_stream(o))
        return fail(err, ST_INPUT, "--collect: only --core ooo, inorder and replay have cycles to profile");
    if (o->stacks && o->collect == NULL)
        return fail(err, ST_INPUT, "--stacks requires --collect STORE, which keeps the stacks");
    if (o->follow_children && (!has_pipeline(o) || o->debug || o->debug_script != NULL))
        return fail(err, ST_INPUT,
                    "--follow-children requires --core ooo or inorder and is incompatible with the debugger");
    if (o->core == CORE_FUNCTIONAL && o->program != NULL)
        return fail(err, ST_INPUT, "--program: the functional core does not profile");
    return ST_OK;
}

static enum status check_gdb(const struct options *o, struct errmsg *err)
{
    if (o->gdb == NULL)
        return ST_OK;
    if (o->core == CORE_SAMPLES)
        return fail(err, ST_INPUT, "--gdb requires a guest program");
    if (o->debug || o->debug_script != NULL)
        return fail(err, ST_INPUT,
                    "--gdb is incompatible with -i and -x: gdb's monitor executes the debugger's commands");
    return ST_OK;
}

static enum status check_form(const struct options *o, struct errmsg *err)
{
    if (o->stats != NULL && o->format != REPORT_AS_text && o->format != REPORT_AS_json)
        return fail(err, ST_INPUT,
                    "--stats: expected the format text or json, found %s: the statistics have no such form",
                    report_form_names[o->format]);
    return ST_OK;
}

static bool asks_help(const char *list) { return list != NULL && strcmp(list, "help") == 0; }

bool options_ask_profilers(const struct options *o)
{
    return o->profile.count != 0 && asks_help(o->profile.text[o->profile.count - 1]);
}

enum status options_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct options *o = options;
    if (o->dump_config || o->list_syscalls || options_ask_profilers(o) || asks_help(o->sampler) ||
        asks_help(o->trace) || o->plugin_skeleton != NULL || idealise_asks_help(o))
        return ST_OK;
    enum status st = check_replay(o, err);
    if (st == ST_OK)
        st = check_record_samples(o, err);
    if (st == ST_OK)
        st = check_recordings(o, err);
    if (st == ST_OK)
        st = check_checkpoints(o, err);
    if (st == ST_OK)
        st = check_vectors(o, err);
    if (st == ST_OK)
        st = check_detail(o, err);
    if (st == ST_OK)
        st = check_harts(o, err);
    if (st == ST_OK)
        st = check_trace(o, err);
    if (st == ST_OK)
        st = option_check_files(syntax, options, err);
    if (st == ST_OK)
        st = options_check_guest(o, err);
    if (st == ST_OK)
        st = check_confinement(o, err);
    if (st == ST_OK)
        st = check_profiling(o, err);
    if (st == ST_OK)
        st = check_gdb(o, err);
    if (st == ST_OK)
        st = check_form(o, err);
    return st;
}
