/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's main function: parses the command line, has the session set up, run and concluded. */
#include <argp.h>
#include <string.h>

#include "base/tool.h"
#include "base/version.h"
#include "host/report/json_value.h"
#include "tools/pcemu/confine.h"
#include "tools/pcemu/gains.h"
#include "tools/pcemu/idealise.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/restoring.h"
#include "tools/pcemu/session.h"
#include "tools/pcemu/start_folder.h"
#include "tools/pcemu/syscalls.h"

const char *argp_program_version = "pcemu " TOOLS_VERSION;

/* The session; one per process. */
static struct session session;

/* Samples from a pipe can be long in coming: the outputs are opened before. */
static void load_machine(struct session *s)
{
    bool loaded = false;
    if (s->options.core == CORE_REPLAY) {
        recording_open(&s->recording, &s->options, &s->machine, &s->target);
        loaded = true;
    } else if (s->options.core == CORE_SAMPLES) {
        outputs_open(&s->outputs, &s->options);
        loaded = sample_recording_open(&s->samples, &s->options, &s->machine, &s->target);
    }
    if (!loaded)
        machine_load(&s->machine, &s->options);
}

int main(int argc, char **argv)
{
    struct session *s = &session;
    signals_begin();
    tool_start("pcemu");
    json_start();
    s->storing.command = storing_command(argc, argv);
    options_parse(&s->options, argc, argv);
    start_folder_keep();
    if (s->options.plugin_skeleton != NULL) {
        plugins_print_skeleton(s->options.plugin_skeleton, stdout);
        return 0;
    }
    plugins_open(&s->plugins, &s->options);
    s->target.checkpoint = restoring_open(&s->options);
    load_machine(s);
    checkpointing_begin(&s->checkpointing, &s->options, s->target.checkpoint);
    block_vectors_begin(&s->options);
    plugins_name(&s->plugins, &s->machine);
    baseline_load(&s->baseline, s->options.baseline, &s->machine);
    if (s->options.dump_config) {
        core_config_dump(&s->machine.config, stdout);
        return 0;
    }
    if (s->options.list_syscalls) {
        print_syscalls(stdout, s->options.format);
        return 0;
    }
    if (options_ask_profilers(&s->options)) {
        observers_print_help(stdout);
        plugins_print_help(&s->plugins, stdout);
        return 0;
    }
    if (idealise_asks_help(&s->options)) {
        idealise_print_help(stdout);
        return 0;
    }
    if (s->options.sampler != NULL && strcmp(s->options.sampler, "help") == 0) {
        sampler_print_help(stdout);
        return 0;
    }
    confine_check(&s->options);
    if (s->options.guest != NULL)
        target_name(&s->target, &s->options);
    target_set_debug_folders(&s->target, &s->options);
    s->gains = gains_start(s);
    session_set_up(s);
    if (s->options.core != CORE_SAMPLES)
        outputs_open(&s->outputs, &s->options);
    checkpointing_open(&s->checkpointing);
    storing_open(&s->storing, s->options.collect);
    session_run(s);
    session_conclude(s);
    (void)start_folder_enter(); /* the file of the debugger's history */
    session_release(s);
    return s->outcome.exit_status;
}
