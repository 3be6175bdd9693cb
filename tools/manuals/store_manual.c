/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints docs/store-schema.md, the tables and views of a profile store, from schema.def. */
#include <stdio.h>

#include "host/store/parts.h"

static void print_columns(void) { puts("| column | type | meaning |\n|---|---|---|"); }

int main(void)
{
    printf("# Schema of the profile store\n\n"
           "The tables and views of version %d of a [profile store](store.md), a database of SQLite with\n"
           "`PRAGMA application_id` %d (\"pcps\") and `PRAGMA user_version` %d. The views are for queries; columns of\n"
           "the tables can change with the version. Addresses are link-time addresses, as `objdump` prints them.\n"
           "This page is generated from `host/store/schema.def`.\n\n"
           "## Views\n\n"
           "| view | has | columns |\n|---|---|---|\n",
           STORE_VERSION, STORE_APPLICATION, STORE_VERSION);
#define TABLE(name, meaning)
#define COLUMN(name, type, meaning)
#define CONSTRAINT(sql)
#define TABLE_END(options)
#define INDEX(name, sql)
#define VIEW(name, meaning, columns, sql) printf("| `%s` | %s | %s |\n", #name, meaning, columns);
#include "host/store/schema.def"
    puts("\n## Tables");
#define TABLE(name, meaning)                       \
    printf("\n### %s\n\n%s.\n\n", #name, meaning); \
    print_columns();
#define COLUMN(name, type, meaning) printf("| `%s` | `%s` | %s |\n", #name, type, meaning);
#define CONSTRAINT(sql) printf("| | `%s` | |\n", sql);
#define TABLE_END(options)
#define INDEX(name, sql)
#define VIEW(name, meaning, columns, sql)
#include "host/store/schema.def"
    (void)fflush(stdout); /* an error is kept */
    return ferror(stdout) ? 2 : 0;
}
