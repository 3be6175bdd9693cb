/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/shell_word.h"
#include "tools/command/command_options.h"
#include "tools/pcprof/whatif.h"

static void whatif_copy_option(void *ctx, const struct command_option *o)
{
    if (o->length > 0 && (o->name == NULL || strcmp(o->name, "gain") != 0))
        fprintf(ctx, " %.*s", (int)o->length, o->written);
}

char *whatif_command_line(const struct store_run_info *run, const char *file)
{
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    fputs("pcemu", out);
    const char *guest = command_options_each(run, whatif_copy_option, out);
    fputs(" --gain ", out);
    shell_word_print(file, out);
    fprintf(out, "%s%s", *guest != '\0' ? " " : "", guest);
    xclose_text(out);
    return text;
}

bool whatif_knows_libraries(const struct store_run_info *run)
{
    return command_options_have(run, "skip-insts") || command_options_have(run, "start-at") ||
           command_options_have(run, "restore");
}
