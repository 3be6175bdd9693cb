/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core configuration: defaults, files (libconfuse), single assignments, validation, dump. config.def is the only
 * list of parameters. */
#include "core-model/config/config.h"

#include "core-model/config/tage_storage.h"

#include <confuse.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"

enum { MAX_FILE_BYTES = 1 << 20 };

struct param {
    const char *key;
    size_t offset; /* in struct core_config */
    long def, min, max;
    const char *unit, *help;
};

static const struct param params[] = {
#define PARAM(key, def, min, max, unit, help) {#key, offsetof(struct core_config, key), def, min, max, unit, help},
#define UNIT(key, kind, n, lat, pipe, help)                                                                    \
    {#key "_units", offsetof(struct core_config, key##_units), n, 1, 8, "units", help ": function units"},     \
        {#key "_cycles", offsetof(struct core_config, key##_cycles), lat, 1, 256, "cycles", help ": latency"}, \
        {#key "_pipelined",                                                                                    \
         offsetof(struct core_config, key##_pipelined),                                                        \
         pipe,                                                                                                 \
         0,                                                                                                    \
         1,                                                                                                    \
         "no|yes",                                                                                             \
         help ": one starts per cycle"},
#include "core-model/config/config.def"
};
enum { PARAM_COUNT = sizeof params / sizeof params[0] };

static uint32_t *param_field(struct core_config *cfg, const struct param *p)
{
    return (uint32_t *)(void *)((char *)cfg + p->offset);
}

static long param_value(const struct core_config *cfg, const struct param *p)
{
    return (long)*(const uint32_t *)(const void *)((const char *)cfg + p->offset);
}

static const struct param *param_find(const char *key, size_t length)
{
    for (int i = 0; i < PARAM_COUNT; i++)
        if (strlen(params[i].key) == length && memcmp(params[i].key, key, length) == 0)
            return &params[i];
    return NULL;
}

static bool param_is_choice(const struct param *p) { return strchr(p->unit, '|') != NULL; }

/* The name of choice `value` in "a|b|c", and its length. */
static const char *choice_name(const struct param *p, long value, int *length)
{
    const char *s = p->unit;
    while (value-- > 0)
        s = strchr(s, '|') + 1;
    *length = (int)strcspn(s, "|");
    return s;
}

static bool choice_parse(const struct param *p, const char *text, long *value)
{
    for (long v = 0; v <= p->max; v++) {
        int n;
        const char *name = choice_name(p, v, &n);
        if (strlen(text) == (size_t)n && memcmp(text, name, (size_t)n) == 0) {
            *value = v;
            return true;
        }
    }
    return false;
}

/* Parses an integer in C notation with an optional suffix k or M (2^10, 2^20). */
static bool config_number_parse(const char *text, long *value)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 0);
    if (end == text || errno != 0 || v < 0 || v > UINT32_MAX)
        return false;
    int shift = *end == 'k' ? 10 : *end == 'M' ? 20 : 0;
    if (shift != 0)
        end++;
    *value = v << shift;
    return *end == '\0';
}

/* Parses `text` as a value of parameter p. On failure sets `why` to "key K: expected ..., found ...". */
static bool param_parse(const struct param *p, const char *text, long *value, struct errmsg *why)
{
    bool choice = param_is_choice(p);
    if (choice && choice_parse(p, text, value))
        return true;
    if (config_number_parse(text, value) && *value >= p->min && *value <= p->max)
        return true;
    if (choice)
        (void)fail(why, ST_FORMAT, "key %s: expected %s, found '%s'", p->key, p->unit, text);
    else
        (void)fail(why, ST_FORMAT, "key %s: expected a number from %ld to %ld (%s), found '%s'", p->key, p->min, p->max,
                   p->unit, text);
    return false;
}

/* Length of the common prefix of two names; used to suggest a key for a misspelt one. */
static size_t common_prefix(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] != '\0' && a[n] == b[n])
        n++;
    return n;
}

enum { ALIKE = 3 }; /* characters */

static void describe_unknown(struct errmsg *why, const char *key)
{
    size_t best = ALIKE - 1;
    const char *near = NULL;
    for (int i = 0; i < PARAM_COUNT; i++) {
        size_t n = common_prefix(params[i].key, key);
        if (n > best) {
            best = n;
            near = params[i].key;
        }
    }
    (void)fail(why, ST_FORMAT, "key %s: expected a parameter of the core%s, found an unknown key", key,
               diag_aside(near).text);
}

void core_config_default(struct core_config *cfg)
{
    memset(cfg, 0, sizeof *cfg);
    for (int i = 0; i < PARAM_COUNT; i++)
        *param_field(cfg, &params[i]) = (uint32_t)params[i].def;
}

enum status core_config_set(struct core_config *cfg, const char *assignment, struct errmsg *err)
{
    const char *eq = strchr(assignment, '=');
    if (eq == NULL || eq == assignment)
        return fail(err, ST_FORMAT, "expected KEY=VALUE, found '%s'", assignment);
    const struct param *p = param_find(assignment, (size_t)(eq - assignment));
    struct errmsg why = {{0}};
    long value;
    if (p == NULL) {
        char *key = xasprintf("%.*s", (int)(eq - assignment), assignment);
        describe_unknown(&why, key);
        free(key);
        return fail(err, ST_FORMAT, "%s", why.text);
    }
    if (!param_parse(p, eq + 1, &value, &why))
        return fail(err, ST_FORMAT, "%s", why.text);
    *param_field(cfg, p) = (uint32_t)value;
    return ST_OK;
}

/* State shared by libconfuse's callbacks. The library passes no user context, so a private option that no file can
 * name carries it: `anchor` is that option's value field. */
struct load_context {
    long anchor;
    bool failed;
    struct errmsg err;
    int line[PARAM_COUNT]; /* line on which the file sets each parameter, for errors of the validation */
};
static struct load_context *load_context_of(cfg_t *cfg)
{
    return (struct load_context *)(void *)cfg->opts[0].simple_value.number; /* as load_schema */
}

static void load_report(cfg_t *cfg, const char *text)
{
    struct load_context *ctx = load_context_of(cfg);
    (void)fail(&ctx->err, ST_FORMAT, "%s:%d: %s", cfg->filename, cfg->line, text);
    ctx->failed = true;
}

static void load_error(cfg_t *cfg, const char *fmt, va_list ap)
{
    struct errmsg text;
    if (strncmp(fmt, "no such option", 14) == 0)
        describe_unknown(&text, va_arg(ap, const char *));
    else
        vsnprintf(text.text, sizeof text.text, fmt, ap);
    load_report(cfg, text.text);
}

static int load_value(cfg_t *cfg, cfg_opt_t *opt, const char *text, void *result)
{
    const struct param *p = param_find(opt->name, strlen(opt->name));
    if (p == NULL)
        BUG("option %s of the schema is no parameter", opt->name);
    struct errmsg why;
    long value = 0;
    if (!param_parse(p, text, &value, &why)) {
        load_report(cfg, why.text);
        return -1;
    }
    int *line = &load_context_of(cfg)->line[p - params];
    if (*line != 0) {
        (void)fail(&why, ST_FORMAT, "key %s: expected each key once, found it in line %d already", p->key, *line);
        load_report(cfg, why.text);
        return -1;
    }
    *line = cfg->line;
    *(long *)result = value;
    return 0;
}

/* Builds libconfuse's option table: one integer option per parameter, with the value in cfg as its default. */
static void load_schema(cfg_opt_t *opts, const struct core_config *cfg, struct load_context *ctx)
{
    const cfg_opt_t context[] = {CFG_SIMPLE_INT("(context)", &ctx->anchor), CFG_END()};
    opts[0] = context[0];
    for (int i = 0; i < PARAM_COUNT; i++) {
        const cfg_opt_t one[] = {CFG_INT_CB(params[i].key, param_value(cfg, &params[i]), CFGF_NONE, load_value),
                                 CFG_END()};
        opts[i + 1] = one[0];
    }
    opts[PARAM_COUNT + 1] = context[1];
}

/* Validates the configuration. The error is reported at the line that set the named parameter, if the file sets it. */
static enum status load_check(const char *path, const struct core_config *cfg, const struct load_context *ctx,
                              struct errmsg *err)
{
    struct errmsg why;
    enum status st = core_config_check(cfg, &why);
    if (st == ST_OK)
        return ST_OK;
    const char *key = why.text + strlen("key ");
    const struct param *p = param_find(key, strcspn(key, ":"));
    if (p == NULL)
        BUG("no parameter is named by '%s'", why.text);
    if (ctx->line[p - params] == 0)
        return fail(err, st, "%s: %s, which is not set in the file", path, why.text);
    return fail(err, st, "%s:%d: %s", path, ctx->line[p - params], why.text);
}

/* Length of the comment that begins here; 0: none; SIZE_MAX: it does not end. */
static size_t comment_length(const char *at)
{
    if (at[0] == '#' || (at[0] == '/' && at[1] == '/'))
        return strcspn(at, "\n");
    if (at[0] != '/' || at[1] != '*')
        return 0;
    const char *end = strstr(at + 2, "*/");
    return end != NULL ? (size_t)(end + 2 - at) : SIZE_MAX;
}

/* Replaces comments by blanks, because libconfuse 3.3 counts their lines twice or thrice, and accepts one that does not
 * end. */
static enum status blank_comments(const char *path, char *text, struct errmsg *err)
{
    int line = 1;
    char quote = '\0';
    for (char *at = text; *at != '\0'; at++) {
        size_t n = quote == '\0' ? comment_length(at) : 0;
        if (n == SIZE_MAX)
            return fail(err, ST_FORMAT, "%s:%d: expected the comment to end, found the end of the file", path, line);
        for (; n > 0; n--, at++) {
            line += *at == '\n';
            *at = *at == '\n' ? '\n' : ' ';
        }
        line += *at == '\n';
        if (quote == '\0' && (*at == '"' || *at == '\''))
            quote = *at;
        else if (*at == quote)
            quote = '\0';
        if (*at == '\0')
            break;
    }
    return ST_OK;
}

/* Rejects input that libconfuse accepts silently. The library stops at a NUL, and substitutes environment variables,
 * which depend on the machine. Control characters are rejected because they would make error messages unreadable. */
static enum status check_text(const char *path, char *text, size_t size, struct errmsg *err)
{
    int line = 1;
    if (file_has_byte_order_mark(text, size))
        return fail(err, ST_FORMAT, "%s:1: expected text, found a byte order mark: save the file as UTF-8 without one",
                    path);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        line += c == '\n';
        if (c == 0x7f || (c < ' ' && !isspace(c)))
            return fail(err, ST_FORMAT, "%s:%d: expected text, found a byte 0x%02x", path, line, c);
    }
    enum status st = blank_comments(path, text, err);
    const char *variable = st == ST_OK ? strstr(text, "${") : NULL;
    if (variable == NULL)
        return st;
    line = 1;
    for (const char *at = text; at < variable; at++)
        line += *at == '\n';
    return fail(err, ST_FORMAT, "%s:%d: expected a value, found '${': environment variables are not expanded", path,
                line);
}

/* Parses a text with room for a byte more; `name` is its file's, for errors. */
static enum status parse_text(const char *name, char *text, size_t size, struct core_config *cfg, struct errmsg *err)
{
    cfg_opt_t opts[PARAM_COUNT + 2];
    struct load_context ctx = {0};
    enum status st = check_text(name, text, size, err);
    if (st != ST_OK)
        return st;
    load_schema(opts, cfg, &ctx);
    cfg_t *parsed = cfg_init(opts, CFGF_NONE);
    if (parsed == NULL)
        BUG("libconfuse: %s", strerror(errno));
    cfg_set_error_function(parsed, load_error);
    parsed->filename = xstrdup(name);
    if (size == 0)
        text[size++] = '\n';             /* replaces the NUL: fmemopen cannot open an empty stream */
    FILE *f = fmemopen(text, size, "r"); /* cfg_parse_buf does not keep the file's name */
    if (f == NULL)
        BUG("fmemopen: %s", strerror(errno));
    int result = cfg_parse_fp(parsed, f);
    fclose(f);
    for (int i = 0; i < PARAM_COUNT && result == CFG_SUCCESS; i++)
        *param_field(cfg, &params[i]) = (uint32_t)cfg_opt_getnint(&parsed->opts[i + 1], 0); /* as load_schema */
    if (result != CFG_SUCCESS && !ctx.failed) /* empty keys, which libconfuse refuses without a message */
        load_report(parsed, "expected the name of a key, found an empty one");
    cfg_free(parsed);
    if (ctx.failed)
        return fail(err, ST_FORMAT, "%s", ctx.err.text);
    return load_check(name, cfg, &ctx, err);
}

enum status core_config_load(const char *path, struct core_config *cfg, struct errmsg *err)
{
    struct errmsg why;
    char *text;
    size_t size;
    enum status st = file_read(path, MAX_FILE_BYTES, &text, &size, &why);
    if (st != ST_OK)
        return fail(err, st, "%s, where a core configuration was expected", why.text);
    st = parse_text(path, text, size, cfg, err);
    free(text);
    return st;
}

enum status core_config_parse(const char *name, const char *text, struct core_config *cfg, struct errmsg *err)
{
    char *copy = xstrdup(text);
    enum status st = parse_text(name, copy, strlen(copy), cfg, err);
    free(copy);
    return st;
}

static bool config_is_power_of_two(uint32_t n) { return (n & (n - 1)) == 0; }

static enum status check_power(const char *key, uint32_t value, struct errmsg *err)
{
    if (config_is_power_of_two(value))
        return ST_OK;
    return fail(err, ST_RANGE, "key %s: expected a power of two, found %u", key, value);
}

/* A cache must have a power-of-two number of sets, each of whole lines. */
static enum status check_cache(const char *level, uint32_t bytes, uint32_t ways, uint32_t line, struct errmsg *err)
{
    uint32_t set_bytes = ways * line;
    if (bytes % set_bytes == 0 && config_is_power_of_two(bytes / set_bytes))
        return ST_OK;
    return fail(err, ST_RANGE,
                "key %s_bytes: expected a power-of-two number of sets of %u ways of %u bytes, found %u bytes", level,
                ways, line, bytes);
}

static enum status check_powers(const struct core_config *c, struct errmsg *err)
{
    const struct {
        const char *key;
        uint32_t value;
    } power[] = {
        {"cop_cam_entries", c->cop_cam_entries},
        {"cop_data_rows", c->cop_data_rows},
        {"cop_filter2_bits", c->cop_filter2_bits},
        {"cop_clock_divide", c->cop_clock_divide},
        {"fetch_block_bytes", c->fetch_block_bytes},
        {"store_wait_entries", c->store_wait_entries},
        {"tage_base_entries", c->tage_base_entries},
        {"tage_entries", c->tage_entries},
        {"local_histories", c->local_histories},
        {"global_entries", c->global_entries},
        {"btb_entries", c->btb_entries},
        {"btb_ways", c->btb_ways},
        {"ras_entries", c->ras_entries},
        {"line_bytes", c->line_bytes},
        {"dram_banks", c->dram_banks},
        {"l2tlb_entries", c->l2tlb_entries},
    };
    for (size_t i = 0; i < sizeof power / sizeof power[0]; i++) {
        enum status st = check_power(power[i].key, power[i].value, err);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

static enum status check_caches(const struct core_config *c, struct errmsg *err)
{
    enum status st = check_cache("l1i", c->l1i_bytes, c->l1i_ways, c->line_bytes, err);
    if (st == ST_OK)
        st = check_cache("l1d", c->l1d_bytes, c->l1d_ways, c->line_bytes, err);
    if (st == ST_OK)
        st = check_cache("l2", c->l2_bytes, c->l2_ways, c->line_bytes, err);
    if (st == ST_OK && c->llc_bytes != 0)
        st = check_cache("llc", c->llc_bytes, c->llc_ways, c->line_bytes, err);
    if (st != ST_OK)
        return st;
    uint32_t l1 = c->l1i_bytes > c->l1d_bytes ? c->l1i_bytes : c->l1d_bytes;
    if (c->l2_bytes < l1)
        return fail(err, ST_RANGE, "key l2_bytes: expected no less than an L1 cache (%u), found %u", l1, c->l2_bytes);
    if (c->llc_bytes != 0 && c->llc_bytes < c->l2_bytes)
        return fail(err, ST_RANGE, "key llc_bytes: expected 0 or no less than the L2 cache (%u), found %u", c->l2_bytes,
                    c->llc_bytes);
    return ST_OK;
}

/* Checks parameters whose limits depend on other parameters. */
static enum status check_limits(const struct core_config *c, struct errmsg *err)
{
    const struct {
        const char *key, *limit_key;
        uint32_t value, limit;
    } bounded[] = {
        {"fetch_block_bytes", "line_bytes", c->fetch_block_bytes, c->line_bytes},
        {"btb_ways", "btb_entries", c->btb_ways, c->btb_entries},
        {"commit_width", "rob_entries", c->commit_width, c->rob_entries},
    };
    for (size_t i = 0; i < sizeof bounded / sizeof bounded[0]; i++)
        if (bounded[i].value > bounded[i].limit)
            return fail(err, ST_RANGE, "key %s: expected no more than %s (%u), found %u", bounded[i].key,
                        bounded[i].limit_key, bounded[i].limit, bounded[i].value);
    return ST_OK;
}

static enum status check_rows(const struct core_config *cfg, struct errmsg *err)
{
    const enum status st = check_power("dram_row_bytes", cfg->dram_row_bytes, err);
    if (st != ST_OK)
        return st;
    if (cfg->dram_row_bytes < cfg->line_bytes)
        return fail(err, ST_RANGE, "key dram_row_bytes: expected 0 or no less than line_bytes (%u), found %u",
                    cfg->line_bytes, cfg->dram_row_bytes);
    if (cfg->dram_row_hit_cycles > cfg->dram_cycles)
        return fail(err, ST_RANGE,
                    "key dram_row_hit_cycles: expected no more than dram_cycles (%u), which opens a row, found %u",
                    cfg->dram_cycles, cfg->dram_row_hit_cycles);
    return ST_OK;
}

enum status core_config_check(const struct core_config *cfg, struct errmsg *err)
{
    for (int i = 0; i < PARAM_COUNT; i++) {
        long v = param_value(cfg, &params[i]);
        if (v < params[i].min || v > params[i].max)
            return fail(err, ST_RANGE, "key %s: expected a number from %ld to %ld (%s), found %ld", params[i].key,
                        params[i].min, params[i].max, params[i].unit, v);
    }
    enum status st = check_powers(cfg, err);
    if (st == ST_OK && cfg->dram_row_bytes != 0)
        st = check_rows(cfg, err);
    if (st == ST_OK && cfg->indirect_entries != 0)
        st = check_power("indirect_entries", cfg->indirect_entries, err);
    if (st == ST_OK)
        st = check_caches(cfg, err);
    if (st != ST_OK)
        return st;
    return check_limits(cfg, err);
}

char *core_config_value(const struct core_config *cfg, const char *key)
{
    const struct param *p = param_find(key, strlen(key));
    if (p == NULL)
        BUG("no key %s", key);
    if (!param_is_choice(p))
        return xasprintf("%ld", param_value(cfg, p));
    int length;
    const char *name = choice_name(p, param_value(cfg, p), &length);
    return xasprintf("%.*s", length, name);
}

void core_config_print_words(FILE *out)
{
    for (int i = 0; i < PARAM_COUNT; i++) {
        const struct param *p = &params[i];
        if (!param_is_choice(p))
            fprintf(out, "%s=\t\n", p->key);
        for (long v = 0; param_is_choice(p) && v <= p->max; v++) {
            int n;
            const char *name = choice_name(p, v, &n);
            fprintf(out, "%s=%.*s\t\n", p->key, n, name);
        }
    }
}

void core_config_dump(const struct core_config *cfg, FILE *out)
{
    for (int i = 0; i < PARAM_COUNT; i++) {
        const struct param *p = &params[i];
        long v = param_value(cfg, p);
        char value[32];
        int n = 0;
        if (param_is_choice(p)) {
            const char *name = choice_name(p, v, &n);
            snprintf(value, sizeof value, "%.*s", n, name);
            fprintf(out, "%-20s = %-10s # %s; %s\n", p->key, value, p->help, p->unit);
        } else {
            snprintf(value, sizeof value, "%ld", v);
            fprintf(out, "%-20s = %-10s # %s; %s, %ld to %ld\n", p->key, value, p->help, p->unit, p->min, p->max);
        }
    }
    if (cfg->predictor == 0)
        fprintf(out, "# TAGE's tables hold %.3g kB.\n",
                (double)tage_storage_bits(cfg->tage_base_entries, cfg->tage_entries) / 8 / 1024);
}
