/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page: style, script and data in one HTML file. The data are JSON in an element that browsers do not run. Its
 * policy (Content-Security-Policy) allows nothing but this style and this script: no network, no code in the data. A
 * page of pcprof serve has a second script, which asks the server for changes, and nothing else of the network. */
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "host/report/json_value.h"
#include "tools/pcprof/page.h"

/* Seconds for which a reader can prevent that a page is loaded again. */
enum { PAGE_WAIT = 5 };

void page_write_text(FILE *out, const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        static const char special[] = "<>&\"'";
        if (strchr(special, *text) != NULL)
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
    }
}

/* Writes JSON of ASCII. '<', '>' and '&' occur only in texts, where they can be escaped: no text ends the element. */
static int write_json(const char *bytes, size_t size_bytes, void *out)
{
    for (size_t n = 0; n < size_bytes; n++) {
        if (bytes[n] == '<' || bytes[n] == '>' || bytes[n] == '&')
            fprintf(out, "\\u%04x", bytes[n]);
        else
            fputc(bytes[n], out);
    }
    return ferror(out) ? -1 : 0;
}

static void write_cell(FILE *out, const json_t *value)
{
    fputs("<td>", out);
    if (json_is_string(value))
        page_write_text(out, json_string_value(value));
    else if (json_is_number(value))
        fprintf(out, "%.12g", json_number_value(value));
    fputs("</td>", out);
}

/* A table of members of the rows. */
static void write_table(FILE *out, const char *caption, const json_t *rows, const char *const *key, size_t keys)
{
    size_t n;
    json_t *row;
    fprintf(out, "<table><caption>%s</caption>\n<tr>", caption);
    for (size_t k = 0; k < keys; k++)
        fprintf(out, "<th>%s</th>", key[k]);
    fputs("</tr>\n", out);
    json_array_foreach(rows, n, row)
    {
        fputs("<tr>", out);
        for (size_t k = 0; k < keys; k++)
            write_cell(out, json_object_get(row, key[k]));
        fputs("</tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void write_noscript(FILE *out, const json_t *data)
{
    static const char *const run[] = {"run", "epoch", "guest", "configuration", "harts", "cycles", "instructions"},
                             *const column[] = {"event", "by", "source", "unit", "estimate", "exact", "error"};
    fputs("<noscript>\n<p>This page shows its tables by a script. Without scripts it has the runs and events.</p>\n",
          out);
    write_table(out, "Runs", json_object_get(data, "runs"), run, sizeof run / sizeof run[0]);
    write_table(out, "Events", json_object_get(data, "columns"), column, sizeof column / sizeof column[0]);
    fputs("</noscript>\n", out);
}

/* An element with the rows of a list, a line of JSON each, compressed. */
static enum status write_packed(FILE *out, const char *id, const json_t *list, struct errmsg *err)
{
    size_t n, size_bytes;
    char *text;
    json_t *row;
    FILE *lines = xopen_text(&text, &size_bytes);
    json_array_foreach(list, n, row)
    {
        if (json_dumpf(row, lines, JSON_ENSURE_ASCII | JSON_COMPACT | JSON_REAL_PRECISION(12)) != 0)
            BUG("a row of the page is not JSON");
        fputc('\n', lines);
    }
    xclose_text(lines);
    fprintf(out, "<script type=\"text/plain\" id=\"%s\">", id);
    enum status st = page_pack(text, size_bytes, out, err);
    fputs("</script>\n", out);
    free(text);
    return st;
}

char *page_policy(bool is_live)
{
    return xasprintf("default-src 'none'; base-uri 'none'; form-action 'none'; script-src '%s'%s%s%s; style-src '%s'%s",
                     page_js_hash, is_live ? " '" : "", is_live ? live_js_hash : "", is_live ? "'" : "", page_css_hash,
                     is_live ? "; connect-src 'self'" : "");
}

void page_write_head(FILE *out, const char *policy, const char *version, unsigned wait, const char *text,
                     const char *what)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"", out);
    if (version != NULL)
        fprintf(out, " data-version=\"%s\" data-wait=\"%u\"", version, wait);
    fprintf(out,
            ">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"pcprof %s\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n<title>",
            TOOLS_VERSION, policy);
    page_write_text(out, text);
    fprintf(out, " - %s</title>\n<style>", what);
    fwrite(page_css, 1, page_css_bytes, out);
    fputs("</style>\n</head>\n<body>\n", out);
}

void page_write_live(FILE *out)
{
    fputs("<script>", out);
    fwrite(live_js, 1, live_js_bytes, out);
    fputs("</script>\n", out);
}

enum status page_write(const struct page_json *json, FILE *out, struct errmsg *err)
{
    const json_t *data = json->data;
    const char *store = json_string_value(json_object_get(data, "store"));
    char *policy = page_policy(json->version != NULL);
    page_write_head(out, policy, json->version, PAGE_WAIT, store, "pcprof report");
    free(policy);
    fputs("<div id=\"page\"></div>\n", out);
    write_noscript(out, data);
    fputs("<script type=\"application/json\" id=\"data\">", out);
    if (json_dump_callback(data, write_json, out, JSON_ENSURE_ASCII | JSON_COMPACT | JSON_REAL_PRECISION(12)) != 0)
        return fail(err, ST_IO, "%s: cannot write the page", store);
    fputs("</script>\n", out);
    enum status st = write_packed(out, "trees", json->trees, err);
    if (st == ST_OK)
        st = write_packed(out, "code", json->code, err);
    if (st == ST_OK && json_array_size(json->pipeline) > 0)
        st = write_packed(out, "pipeline", json->pipeline, err);
    fputs("<script>", out);
    fwrite(page_js, 1, page_js_bytes, out);
    fputs("</script>\n", out);
    if (json->version != NULL)
        page_write_live(out);
    fputs("</body>\n</html>\n", out);
    return st;
}
