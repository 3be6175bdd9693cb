# SPDX-License-Identifier: GPL-3.0-or-later
# python3: primes, shortest paths, an edit distance, and words counted.
import heapq


class Node:
    def __init__(self, name):
        self.name, self.to = name, []


def dijkstra(start):
    best, queue = {start.name: 0}, [(0, start.name, start)]
    while queue:
        d, name, node = heapq.heappop(queue)
        if d > best[name]:
            continue
        for cost, other in node.to:
            if d + cost < best.get(other.name, 1 << 60):
                best[other.name] = d + cost
                heapq.heappush(queue, (d + cost, other.name, other))
    return best


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        row, last = [i + 1], row
        for j, y in enumerate(b):
            row.append(min(row[j] + 1, last[j + 1] + 1, last[j] + (x != y)))
    return row[-1]


sieve = bytearray([1]) * 50000
for i in range(2, 224):
    if sieve[i]:
        for j in range(i * i, len(sieve), i):
            sieve[j] = 0
print(sum(sieve) - 2)
state, nodes = 1, [Node(i) for i in range(1200)]
for node in nodes:
    for _ in range(5):
        state = state * 48271 % 2147483647
        node.to.append((state % 100 + 1, nodes[state // 100 % len(nodes)]))
reached = dijkstra(nodes[0])
print(len(reached), sum(reached.values()))
print(distance("kitten sitting on the mat" * 5, "sitting kitten in the mud" * 6))
words = {}
for word in open("text").read().lower().split():
    words[word] = words.get(word.strip(",."), 0) + 1
print(len(words), sorted(words.items(), key=lambda item: (-item[1], item[0]))[:5])
