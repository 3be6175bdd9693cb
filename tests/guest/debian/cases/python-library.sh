# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.py <<'S'
import json, hashlib, re, collections, itertools, random, datetime, decimal, fractions, zlib, base64, struct, textwrap, csv, io
print(json.dumps({"b": [1, 2.5, None, True], "a": {"x": "\u00e9"}}, sort_keys=True, indent=1))
for n in ("md5", "sha1", "sha256", "sha512", "blake2b", "sha3_256"): print(n, hashlib.new(n, b"abc" * 999).hexdigest())
print(re.sub(r"(\w+)@(\w+)", r"\2 at \1", "me@here you@there"), re.split(r"[,;]\s*", "a, b;c"))
print(collections.Counter("mississippi").most_common(), list(itertools.permutations("abc", 2)))
random.seed(42); print([random.randint(0, 99) for _ in range(10)], random.gauss(0, 1))
print(decimal.Decimal(2).sqrt(), fractions.Fraction(1, 3) + fractions.Fraction(1, 6), 2 ** 200, 1e308 * 10, 0.1 + 0.2)
print(datetime.date(2024, 2, 29).isoformat(), zlib.crc32(b"hello"), len(zlib.compress(b"x" * 10000)), base64.b64encode(b"hi"))
print(struct.pack("<IHb", 1, 2, -3), textwrap.fill("word " * 30, 40))
w = csv.writer(open("out.csv", "w")); w.writerows([[i, i * i, f"{i / 7:.4f}"] for i in range(20)])
print(sum(i * i for i in range(20000)), sorted({"x": 3, "y": 1}.items(), key=lambda p: p[1]))
try: 1 / 0
except ZeroDivisionError as e: print(e)
S
$RUN $BIN/python3.13 -B s.py
