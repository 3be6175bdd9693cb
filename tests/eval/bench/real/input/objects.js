// SPDX-License-Identifier: GPL-3.0-or-later
// quickjs: objects, closures, maps and typed arrays.
class Vector {
    constructor(x, y) { this.x = x; this.y = y; }
    add(v) { return new Vector(this.x + v.x, this.y + v.y); }
    get length() { return Math.sqrt(this.x * this.x + this.y * this.y); }
}
let sum = new Vector(0, 0);
for (let i = 0; i < 15000; i++) sum = sum.add(new Vector(i % 7, (i * i) % 11));
console.log(sum.length.toFixed(6));
const count = new Map();
for (let i = 0, s = 1; i < 10000; i++) {
    s = (s * 48271) % 2147483647;
    const key = "k" + s % 1000;
    count.set(key, (count.get(key) || 0) + 1);
}
console.log([...count.entries()].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5).join(" "));
const grid = new Int32Array(128 * 128).map((_, i) => (i * 7919) % 3 == 0 ? 1 : 0);
let now = grid;
for (let step = 0; step < 1; step++) {
    const next = new Int32Array(now.length);
    for (let y = 1; y < 127; y++)
        for (let x = 1; x < 127; x++) {
            let n = 0;
            for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) n += now[(y + dy) * 128 + x + dx];
            n -= now[y * 128 + x];
            next[y * 128 + x] = n == 3 || (n == 2 && now[y * 128 + x]) ? 1 : 0;
        }
    now = next;
}
console.log(now.reduce((a, b) => a + b, 0), JSON.stringify([...count.keys()].slice(0, 100)).length);
