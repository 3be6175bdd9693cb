/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++: exceptions through several frames, streams, containers, algorithms: what run_riscv.sh compares on two machines.
 * */
#include <algorithm>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct guard {
    std::string name;
    ~guard() { std::cout << "leaves " << name << '\n'; }
};

static int depth(int n)
{
    guard g{"frame " + std::to_string(n)};
    if (n == 0)
        throw std::out_of_range("the bottom");
    return depth(n - 1) + 1;
}

int main()
{
    std::vector<double> v;
    unsigned x = 1;
    for (int i = 0; i < 5000; i++)
        v.push_back((x = x * 1664525 + 1013904223) / 65536.0);
    std::sort(v.begin(), v.end(), std::greater<>());
    std::cout << std::setprecision(12) << v.front() << ' ' << v[2500] << ' ' << v.back() << '\n';
    try {
        depth(3);
    } catch (const std::exception &e) {
        std::cout << "caught " << e.what() << '\n';
    }
    try {
        std::vector<int>().at(1);
    } catch (const std::out_of_range &) {
        std::cout << "out of range\n";
    }
    std::map<std::string, int> words;
    std::istringstream in("the cat and the dog and the bird");
    for (std::string w; in >> w;)
        words[w]++;
    for (const auto &[w, n] : words)
        std::cout << std::left << std::setw(6) << w << n << '\n';
    std::cout << std::regex_replace(std::string("a1b22"), std::regex("[0-9]+"), "#") << ' ' << std::hex << 255 << '\n';
    auto shared = std::make_shared<guard>(guard{"shared"});
    std::function<int(int)> twice = [shared](int n) { return 2 * n; };
    std::cout << twice(21) << ' ' << shared.use_count() << '\n';
    return 5;
}
