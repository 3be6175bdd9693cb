/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest with variables of each kind of type, whose values pcemu's debugger and gdb print alike. */
#include <stdbool.h>

enum color { RED, GREEN = 5, BLUE = -1 };
struct inner {
    char c;
    unsigned char u;
    short s[3];
};
enum wide { A = 1, B = 0x100000001, C = 0x8000000000000000 };
enum plain { ONE = 1, SIX = 6, TEN = 10 };
enum flags { NONE, FIRST, SECOND, THIRD = 4 };
enum __attribute__((packed)) narrow { LOW = -128, HIGH = 127 };
union both {
    int i;
    float f;
};
struct big {
    struct inner in;
    union both b;
    bool yes;
    enum color color, none;
    unsigned a : 3, bb : 5;
    int neg : 4;
    long *p;
    const char *text;
    struct big *next;
    double d;
    float f;
};
struct constants {
    enum wide wide[4];
    enum plain plain[3];
    enum flags flags[6];
    enum narrow narrow[3];
    enum flags bits : 4;
    enum color below : 4;
};
typedef unsigned long number;

static long data[8] = {1, 2, 3, 4, -5};
static int same[40] = {[17] = 1};
static int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
static short cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
static char name[] = "mixed\n\t\"x\" \\ \001";
static struct inner inner[2] = {{'a', '\'', {0}}, {'\0', 255, {9}}};
struct big big = {
    {'x', 200, {1, -2, 3}}, {7}, true, GREEN, (enum color)9, 5, 17, -3, &data[2], "hello", &big, 0.1, 0.1f};
struct constants constants = {{A, B, C, (enum wide)7},
                              {SIX, (enum plain)7, (enum plain) - 16},
                              {NONE, FIRST, (enum flags)3, (enum flags)14, (enum flags)16, (enum flags) - 16},
                              {LOW, HIGH, (enum narrow)3},
                              SECOND,
                              BLUE};
volatile number counter = 18446744073709551615ul;
static double weights[3] = {1, 2.5, -1e100};
const char *const texts[2] = {"one", 0};

int main(void)
{
    return (int)(data[0] + same[0] + matrix[0][0] + cube[0][0][0] + name[0] + inner[0].c + (long)weights[0]) +
           (texts[0] != 0);
}
