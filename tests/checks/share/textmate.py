# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokenises programs by a TextMate grammar: every word of the language has its scope, and nothing is invalid.
usage: textmate.py GRAMMAR WORDS PROGRAM..."""
import json
import re
import sys

grammar, words, *programs = sys.argv[1:]
with open(grammar, encoding="utf-8") as f:
    patterns = [(re.compile(p["match"]), p["name"]) for p in json.load(f)["patterns"]]
with open(words, encoding="utf-8") as f:
    kinds = {word: kind for kind, word in (line.rstrip("\n").split("\t") for line in f)}
failures = []


def tokens(line):
    """Yields (text, scope), by the pattern that matches first, as TextMate does."""
    at = 0
    while at < len(line):
        found = [(m.start(), i, m, name) for i, (regex, name) in enumerate(patterns)
                 if (m := regex.search(line, at)) and m.end() > m.start()]
        if not found:
            return
        _, _, match, name = min(found, key=lambda f: f[:2])
        yield match.group().strip(), name
        at = match.end()


for word, kind in kinds.items():
    if kind == "register":
        word += "1"
    line = "    " + word if kind == "directive" else "x " + word
    scopes = [scope for text, scope in tokens(line) if text == word]
    if len(scopes) != 1 or scopes[0].startswith("invalid"):
        failures.append(f"{kind} '{word}' has the scopes {scopes}")
if [scope for _, scope in tokens("    .unknown x")] != ["invalid.illegal.pasm"]:
    failures.append("an unknown directive is not invalid")

seen = set()
for path in programs:
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            for text, scope in tokens(line.rstrip("\n")):
                if scope.startswith("invalid"):
                    failures.append(f"{path}:{number}: '{text}' is invalid")
                seen.add(scope)
for _, scope in patterns:
    if scope not in seen and not scope.startswith(("invalid", "constant.character", "variable.other.lane")):
        failures.append(f"no program has the scope {scope}")
print("\n".join(failures), file=sys.stderr, end="\n" if failures else "")
sys.exit(bool(failures))
