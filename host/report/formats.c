/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats. */
#include "host/report/formats.h"

#include "base/terminal.h"

const struct report_format report_formats[REPORT_FORMS] = {
#define REPORT_FORMAT(name, help) {#name, help, report_write_##name},
#include "host/report/formats.def"
};

const char *const report_form_names[REPORT_FORMS] = {
#define REPORT_FORMAT(name, help) #name,
#include "host/report/formats.def"
};

unsigned report_width(unsigned asked, int fd)
{
    const unsigned of_terminal = asked == REPORT_WIDTH_OF_OUTPUT ? terminal_width(fd) : 0;
    return asked != REPORT_WIDTH_OF_OUTPUT ? asked : of_terminal != 0 ? of_terminal : REPORT_WIDTH_OF_FILES;
}
