/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report's functions for plug-ins. After a mistake of the plug-in, which is its complaint, all further calls are
 * ignored: pcemu ends with the complaint. */
#include "core-model/prof/plugin/plugin_results.h"

#include <stdlib.h>
#include <string.h>

#include "contract/report.h"

enum { RESULTS_KEYS = 256, RESULTS_COLUMNS = 32, RESULTS_KEY_MOST = 64, RESULTS_DECIMALS = 9 };

/* Keys of one object, to find those that are not distinct. */
struct plugin_keys {
    char *key[RESULTS_KEYS];
    unsigned count;
};

struct plugin_results {
    struct plugin *plugin;
    struct report *section;
    struct plugin_keys keys;
    struct report_table *table; /* the last one; NULL: none */
    uint32_t type[RESULTS_COLUMNS];
    struct plugin_keys column;
    unsigned cells; /* of the last row */
    bool has_rows;
};

static bool results_failed(const struct plugin_results *r) { return r->plugin->complaint.text[0] != '\0'; }

static struct plugin_results *results_of(struct pcemu_report *r) { return (struct plugin_results *)r; }

/* The key is well-formed and distinct from the object's others. */
static bool results_add_key(struct plugin_results *r, struct plugin_keys *keys, const char *key, unsigned most)
{
    static const char all[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    if (results_failed(r))
        return false;
    if (key == NULL || key[0] < 'a' || key[0] > 'z' || key[strspn(key, all)] != '\0' ||
        strlen(key) > RESULTS_KEY_MOST) {
        plugin_complain(r->plugin,
                        "report: expected a key of at most %d lower-case letters, digits and '_', beginning with a "
                        "letter, found '%s'",
                        RESULTS_KEY_MOST, key != NULL ? key : "NULL");
        return false;
    }
    for (unsigned i = 0; i < keys->count; i++)
        if (strcmp(keys->key[i], key) == 0) {
            plugin_complain(r->plugin, "report: expected distinct keys, found '%s' twice", key);
            return false;
        }
    if (keys->count == most) {
        plugin_complain(r->plugin, "report: expected at most %u keys in one object", most);
        return false;
    }
    keys->key[keys->count++] = xstrdup(key);
    return true;
}

static void results_clear(struct plugin_keys *keys)
{
    while (keys->count > 0)
        free(keys->key[--keys->count]);
}

static void results_text(struct pcemu_report *to, const char *key, const char *label, const char *text)
{
    struct plugin_results *r = results_of(to);
    if (results_add_key(r, &r->keys, key, RESULTS_KEYS))
        report_text(r->section, key, label, text);
}

static void results_count(struct pcemu_report *to, const char *key, const char *label, uint64_t n, const char *unit)
{
    struct plugin_results *r = results_of(to);
    if (results_add_key(r, &r->keys, key, RESULTS_KEYS))
        report_count(r->section, key, label, n, unit);
}

static void results_real(struct pcemu_report *to, const char *key, const char *label, double x, unsigned decimals,
                         const char *unit)
{
    struct plugin_results *r = results_of(to);
    if (decimals > RESULTS_DECIMALS)
        plugin_complain(r->plugin, "report: '%s': expected at most %d decimal places, found %u",
                        key != NULL ? key : "NULL", RESULTS_DECIMALS, decimals);
    if (results_add_key(r, &r->keys, key, RESULTS_KEYS))
        report_real(r->section, key, label, x, decimals, unit);
}

static void results_share(struct pcemu_report *to, const char *key, const char *label, double share)
{
    struct plugin_results *r = results_of(to);
    if (results_add_key(r, &r->keys, key, RESULTS_KEYS))
        report_share(r->section, key, label, share, 1);
}

/* A note is a template, in which a plug-in has no values to name. */
static void results_note(struct pcemu_report *to, const char *words)
{
    struct plugin_results *r = results_of(to);
    if (words == NULL || strchr(words, '{') != NULL)
        plugin_complain(r->plugin, "report: expected a note without '{', found '%s'", words != NULL ? words : "NULL");
    if (!results_failed(r))
        report_note(r->section, words);
}

/* ---- tables ---- */

/* The last row has all its cells. */
static void results_check_row(struct plugin_results *r)
{
    if (r->table != NULL && r->has_rows && r->cells != r->column.count)
        plugin_complain(r->plugin, "report: expected %u cells in each row of a table, found %u", r->column.count,
                        r->cells);
}

static struct pcemu_table *results_table(struct pcemu_report *to, const char *key, const char *title)
{
    struct plugin_results *r = results_of(to);
    results_check_row(r);
    results_clear(&r->column);
    r->table = NULL;
    r->has_rows = false;
    if (title == NULL || strchr(title, '{') != NULL)
        plugin_complain(r->plugin, "report: expected a title without '{', found '%s'", title != NULL ? title : "NULL");
    if (results_add_key(r, &r->keys, key, RESULTS_KEYS))
        r->table = report_table(r->section, key, title);
    return (struct pcemu_table *)r;
}

static void results_column(struct pcemu_table *to, uint32_t type, const char *key, const char *title)
{
    static const enum report_type types[] = {[PCEMU_COLUMN_TEXT] = REPORT_TEXT,
                                             [PCEMU_COLUMN_COUNT] = REPORT_COUNT,
                                             [PCEMU_COLUMN_REAL] = REPORT_REAL,
                                             [PCEMU_COLUMN_SHARE] = REPORT_SHARE,
                                             [PCEMU_COLUMN_ADDRESS] = REPORT_ADDRESS};
    struct plugin_results *r = (struct plugin_results *)to;
    if (type == 0 || type >= sizeof types / sizeof types[0])
        plugin_complain(r->plugin, "report: expected a column of type 1 to %zu, found %u",
                        sizeof types / sizeof types[0] - 1, type);
    if (r->table == NULL || r->has_rows)
        plugin_complain(r->plugin, "report: expected the columns of a table before its first row");
    if (!results_add_key(r, &r->column, key, RESULTS_COLUMNS))
        return;
    r->type[r->column.count - 1] = type;
    const bool has_digits = type == PCEMU_COLUMN_REAL || type == PCEMU_COLUMN_SHARE;
    report_column(r->table, &(struct report_column){.type = types[type],
                                                    .member = key,
                                                    .title = title,
                                                    .decimals = has_digits ? (type == PCEMU_COLUMN_REAL ? 2 : 1) : 0});
}

static void results_row(struct pcemu_table *to)
{
    struct plugin_results *r = (struct plugin_results *)to;
    results_check_row(r);
    if (r->column.count == 0)
        plugin_complain(r->plugin, "report: expected columns before the first row of a table");
    if (results_failed(r))
        return;
    r->has_rows = true;
    r->cells = 0;
    report_row(r->table);
}

/* The next cell is of a column of one of the two types. Returns its type; 0: the call is ignored. */
static uint32_t results_cell(struct plugin_results *r, uint32_t type, uint32_t other, const char *function)
{
    if (!r->has_rows || r->cells >= r->column.count)
        plugin_complain(r->plugin, "report: %s: expected at most the cells of the columns, in a row", function);
    else if (r->type[r->cells] != type && r->type[r->cells] != other)
        plugin_complain(r->plugin, "report: %s: expected a cell of the type of its column '%s'", function,
                        r->column.key[r->cells]);
    return results_failed(r) ? 0 : r->type[r->cells++];
}

static void results_cell_text(struct pcemu_table *to, const char *text)
{
    struct plugin_results *r = (struct plugin_results *)to;
    if (results_cell(r, PCEMU_COLUMN_TEXT, PCEMU_COLUMN_TEXT, "cell_text") != 0)
        report_cell_text(r->table, text);
}

static void results_cell_number(struct pcemu_table *to, double x)
{
    struct plugin_results *r = (struct plugin_results *)to;
    const uint32_t type = results_cell(r, PCEMU_COLUMN_REAL, PCEMU_COLUMN_SHARE, "cell_number");
    if (type == PCEMU_COLUMN_REAL)
        report_cell_real(r->table, x);
    else if (type != 0)
        report_cell_share(r->table, x);
}

static void results_cell_count(struct pcemu_table *to, uint64_t n)
{
    struct plugin_results *r = (struct plugin_results *)to;
    const uint32_t type = results_cell(r, PCEMU_COLUMN_COUNT, PCEMU_COLUMN_ADDRESS, "cell_count");
    if (type == PCEMU_COLUMN_COUNT)
        report_cell_count(r->table, n);
    else if (type != 0)
        report_cell_address(r->table, n);
}

const struct pcemu_host plugin_host = {.version = PCEMU_ABI,
                                       .size = sizeof plugin_host,
                                       .text = results_text,
                                       .count = results_count,
                                       .real = results_real,
                                       .share = results_share,
                                       .note = results_note,
                                       .table = results_table,
                                       .column = results_column,
                                       .row = results_row,
                                       .cell_text = results_cell_text,
                                       .cell_number = results_cell_number,
                                       .cell_count = results_cell_count};

struct plugin_results *plugin_results_new(struct plugin *p, struct report *section)
{
    struct plugin_results *r = xcalloc(1, sizeof *r);
    r->plugin = p;
    r->section = section;
    return r;
}

void plugin_results_end(struct plugin_results *results)
{
    results_check_row(results);
    results_clear(&results->keys);
    results_clear(&results->column);
    free(results);
}
