/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head of a report. */
#include "host/report/run_facts.h"

#include <stdlib.h>

#include "base/status.h"

/* Reports the sample at which the program was stopped. */
static void report_stop_sample(const struct program_stop *s, struct report *r)
{
    report_count(r, "fault_sample", "  sample", s->sample, NULL);
    report_text(r, "fault_class", "    class", opclass_name(s->opclass));
    report_tally(r, "fault_cycle", "    of cycle", s->cycle, "cycles");
    struct report *fields = report_section(r, "fault_fields");
    for (unsigned i = 0; i < s->fields; i++) {
        char *label = xasprintf("    %s", s->name[i]);
        report_hex(fields, s->name[i], label, s->field[i]);
        free(label);
    }
}

/* Reports the fault that stopped the program. */
static void report_stop(const struct program_stop *s, struct report *r)
{
    const char *why = s->state == BUS_RUNAWAY ? "as a runaway: it does not finish its sample"
                      : s->no_entry           ? "by a sample whose class has no entry"
                                              : "by an illegal microinstruction";
    report_text(r, "fault", "STOPPED", why);
    report_count(r, "fault_word", "  at word", s->word, NULL);
    report_remark(r, "{fault_text}");
    report_text(r, "fault_text", NULL, s->text);
    report_tally(r, "fault_words", "  words for its sample", s->words, "words");
    report_tally(r, "fault_limit", "    at most", s->limit, "words");
    report_remark(r, "(cop_runaway_words)");
    if (s->has_sample)
        report_stop_sample(s, r);
}

void run_facts_report_run(const struct run_facts *f, struct report *r)
{
    report_text(r, "guest", "guest", f->guest != NULL ? f->guest : "-");
    if (f->executed != NULL) {
        report_text(r, "executed", "  executed", f->executed);
        report_remark(r, f->is_first ? "(the interpreter of the script, or the target of the link)"
                                     : "(names are its own, also for addresses of the programs before it)");
    }
    if (f->process != 0) {
        report_count(r, "process", "  forked", f->process, NULL);
        report_remark(r, "number of the process");
    }
    if (f->machine != NULL)
        report_text(r, "configuration", "configuration", f->machine);
    if (f->cold != NULL)
        report_text(r, "cold", "  cold at the start", f->cold);
    if (f->harts != 0)
        report_count(r, "harts", "harts", f->harts, NULL);
    if (f->is_of_hart)
        report_count(r, "hart", "  this one", f->hart, NULL);
    if (f->cycles != 0)
        report_count(r, "cycles", "core", f->cycles, "cycles");
    if (f->instructions != 0 || f->harts != 0) { /* a hart may retire none */
        report_tally(r, "instructions", "", f->instructions, "instructions");
        report_remark(r, "instructions retired");
    }
}

/* Reports what the guest changed on the host, if it changed anything. */
static void report_host_changes(const struct run_facts *f, struct report *r)
{
    static const char *const keys[] = {
#define HOST_CHANGE(symbol, key, label) key,
#include "contract/host_change.def"
    };
    static const char *const labels[] = {
#define HOST_CHANGE(symbol, key, label) "  " label,
#include "contract/host_change.def"
    };
    uint64_t sum = 0;
    for (unsigned i = 0; i < HOST_CHANGES; i++)
        sum += f->host_changes[i];
    if (sum == 0)
        return;
    struct report *changes = report_section(report_details(r), "host_changes");
    report_note(changes, "Changes of the host's files by the guest; --confine and --read-only prevent them:");
    for (unsigned i = 0; i < HOST_CHANGES; i++)
        report_count(changes, keys[i], labels[i], f->host_changes[i], NULL);
}

void run_facts_report_end(const struct run_facts *f, struct report *r)
{
    if (f->stop != NULL)
        report_stop(f->stop, r);
    else if (f->partial)
        report_text(r, NULL, "PARTIAL", "the run was stopped early: the profile lacks what followed");
    report_flag(r, "partial", NULL, f->partial);
    if (f->forked > 0) {
        char *words = xasprintf("%u process%s that the guest forked, and what %s forked", f->forked,
                                f->forked == 1 ? "" : "es", f->forked == 1 ? "it" : "they");
        report_text(r, NULL, "NOT PROFILED", words);
        free(words);
    }
    if (f->no_profile != NULL)
        report_text(r, NULL, "NO PROFILE", f->no_profile);
    report_host_changes(f, r);
}
