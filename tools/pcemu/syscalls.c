/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/syscalls.h"

#include "core-model/linux/calls.h"
#include "host/report/json_value.h"

static json_t *syscalls_row(const struct guest_call *c)
{
    json_t *row = json_object();
    json_put(row, "number", json_integer(c->number));
    json_put(row, "name", json_text(c->name));
    json_put(row, "state", json_text(guest_call_states[c->state]));
    json_put(row, "note", json_text(c->note));
    return row;
}

static void syscalls_dump(json_t *value, size_t flags, FILE *out)
{
    json_dumpf(value, out, flags);
    fputc('\n', out);
    json_decref(value);
}

static void syscalls_print_json(FILE *out)
{
    json_t *root = json_object(), *list = json_put(root, "syscalls", json_array());
    for (const struct guest_call *c = guest_next_call(NULL); c != NULL; c = guest_next_call(c))
        json_push(list, syscalls_row(c));
    syscalls_dump(root, JSON_INDENT(2), out);
}

/* As the rows of a report. */
static void syscalls_print_jsonl(FILE *out)
{
    for (const struct guest_call *c = guest_next_call(NULL); c != NULL; c = guest_next_call(c)) {
        json_t *line = json_object();
        json_put(line, "table", json_text("syscalls"));
        json_put(line, "row", syscalls_row(c));
        syscalls_dump(line, 0, out);
    }
}

static void print_csv(FILE *out)
{
    fputs("number,name,state,note\n", out);
    for (const struct guest_call *c = guest_next_call(NULL); c != NULL; c = guest_next_call(c))
        fprintf(out, "%u,%s,%s,\"%s\"\n", c->number, c->name, guest_call_states[c->state], c->note);
}

static void syscalls_print_text(FILE *out)
{
    fprintf(out, "%6s  %-24s  %-9s  %s\n", "number", "name", "state", "note");
    for (const struct guest_call *c = guest_next_call(NULL); c != NULL; c = guest_next_call(c))
        fprintf(out, c->note[0] != '\0' ? "%6u  %-24s  %-9s  %s\n" : "%6u  %-24s  %s\n", c->number, c->name,
                guest_call_states[c->state], c->note);
}

void print_syscalls(FILE *out, enum report_form form)
{
    if (form == REPORT_AS_json)
        syscalls_print_json(out);
    else if (form == REPORT_AS_jsonl)
        syscalls_print_jsonl(out);
    else if (form == REPORT_AS_csv)
        print_csv(out);
    else
        syscalls_print_text(out);
}
