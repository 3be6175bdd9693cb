/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of program images, past its checksum: whatever it takes is sound, and survives saving and
 * disassembly. */
#include "tests/fuzz/roundtrip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sound(const struct image *im)
{
    struct errmsg err;
    struct image again;
    uint8_t *bytes, *bytes_again;
    size_t size_bytes, size_again;
    if (image_check(im, &err) != ST_OK)
        BUG("unsound: %s", err.text);
    image_save(im, &bytes, &size_bytes);
    if (image_parse(&again, bytes, size_bytes, "saved", &err) != ST_OK || !same_machine(im, &again))
        BUG("saved and read: %s", err.text);
    image_save(&again, &bytes_again, &size_again);
    if (size_bytes != size_again || memcmp(bytes, bytes_again, size_bytes) != 0)
        BUG("saved twice, and not the same");
    free(bytes);
    free(bytes_again);
    char *fault = roundtrip_fault(im);
    if (fault != NULL)
        BUG("%s", fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t magic[8] = {0x7f, 'P', 'C', 'O', 'U', 'T', '\r', '\n'};
    struct image im;
    struct errmsg err;
    uint8_t *bytes = xmalloc(size);
    memcpy(bytes, data, size);
    if (image_parse(&im, bytes, size, "raw", &err) == ST_OK)
        check_sound(&im);
    if (size >= IMAGE_HEADER_BYTES) {
        memcpy(bytes, magic, sizeof magic);
        put_u32(bytes + 8, IMAGE_VERSION);
        seal_image(bytes, size);
        if (image_parse(&im, bytes, size, "sealed", &err) == ST_OK)
            check_sound(&im);
    }
    free(bytes);
    return 0;
}
