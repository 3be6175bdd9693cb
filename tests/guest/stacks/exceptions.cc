/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++ exceptions through frames with and without destructors, rethrown, and virtual calls. */
#include <stdexcept>
#include <string>
#include <vector>

#include "truth.h"

namespace {

int leaf(int x) { return x + 1; }

struct guard {
    int &sum;
    explicit guard(int &s) : sum(s) { sum += leaf(1); }
    ~guard() { sum += leaf(2); }
};

struct shape {
    virtual ~shape() = default;
    virtual int size(int n) const = 0;
};
struct square : shape {
    int size(int n) const override { return leaf(n * n); }
};
struct line : shape {
    int size(int n) const override { return n > 2 ? throw std::out_of_range("long") : leaf(n); }
};

int descend(const shape &s, int depth, int &sum)
{
    guard g(sum);
    return depth == 0 ? s.size(sum % 5) : descend(s, depth - 1, sum) + leaf(depth);
}

int again(const shape &s, int n, int &sum)
{
    try {
        return descend(s, n % 4, sum);
    } catch (const std::out_of_range &) {
        sum += leaf(n);
        throw;
    }
}

int attempt(const shape &s, int n, int &sum)
{
    try {
        return again(s, n, sum);
    } catch (const std::exception &e) {
        return leaf(static_cast<int>(std::string(e.what()).size()));
    }
}

} // namespace

int main()
{
    const square a;
    const line b;
    const std::vector<const shape *> shapes = {&a, &b};
    int sum = 0, total = 0;
    for (int n = 0; n < 24; n++)
        total += attempt(*shapes[static_cast<std::size_t>(n) % 2], n, sum);
    return total == 0;
}
