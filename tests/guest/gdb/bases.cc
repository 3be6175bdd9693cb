// SPDX-License-Identifier: GPL-3.0-or-later
// A guest with classes that have bases, whose values pcemu's debugger and gdb print alike.
struct Empty {};
struct First {
    int x;
};
struct Second {
    long y;
    char name[4];
};
struct Middle : First {
    short z;
};
class Both : public Middle, private Second {
public:
    constexpr Both() : Middle{{1}, 2}, Second{3, "abc"}, own(4) {}
    int own;
};
struct Only : First {};

Empty empty;
Middle middle[2] = {{{5}, 6}, {{7}, 8}};
Both both;
Both *pointer = &both;
Only only = {{9}};

int main() { return middle[0].x + only.x + pointer->own; }
