/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the assembler: any text ends in diagnostics or in a sound image, and that image survives saving and
 * disassembly. */
#include "tests/fuzz/roundtrip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every file that is included is this one. */
static enum status read_any(void *ctx, const char *path, char **data, size_t *size_bytes, struct errmsg *err)
{
    static const char text[] = ".ifndef INCLUDED\n.equ INCLUDED = 1\n.include \"again\"\n.endif\nnop\n";
    (void)ctx;
    if (path[0] == '\0')
        return fail(err, ST_IO, "no name");
    *data = xstrdup(text);
    *size_bytes = sizeof text - 1;
    return ST_OK;
}

static void check_image(const struct image *im)
{
    struct errmsg err;
    struct image again;
    uint8_t *bytes;
    size_t size_bytes;
    if (image_check(im, &err) != ST_OK)
        BUG("unsound: %s", err.text);
    image_save(im, &bytes, &size_bytes);
    if (image_parse(&again, bytes, size_bytes, "saved", &err) != ST_OK || !same_machine(im, &again))
        BUG("saved and read: %s", err.text);
    free(bytes);
    char *fault = roundtrip_fault(im);
    if (fault != NULL)
        BUG("%s", fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const defines[] = {"GIVEN=3"}, *const dirs[] = {"dir"};
    char *said, *listing;
    size_t said_bytes, listing_bytes;
    struct image im;
    struct diag d;
    FILE *out = open_memstream(&said, &said_bytes), *list = open_memstream(&listing, &listing_bytes);
    struct pasm_options opts = {.name = "fuzz.pasm",
                                .text = (const char *)data,
                                .size_bytes = size,
                                .defines = defines,
                                .define_count = 1,
                                .include_dirs = dirs,
                                .include_dir_count = 1,
                                .read_file = read_any,
                                .listing = list};
    diag_init(&d, out);
    enum status st = pasm_assemble(&opts, &d, &im);
    diag_summary(&d);
    fclose(out);
    fclose(list);
    if ((st == ST_OK) != (d.errors == 0) || (st == ST_OK) != (listing_bytes > 0) || (d.errors > 0 && said_bytes == 0))
        BUG("status, messages and listing disagree");
    if (strstr(said, "internal") != NULL && memmem(data, size, "internal", 8) == NULL)
        BUG("%s", said);
    if (st == ST_OK)
        check_image(&im);
    free(said);
    free(listing);
    return 0;
}
