# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes the code of a notebook: notebook.py FILE."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)
scope = {"__name__": "__main__"}
for number, cell in enumerate(notebook["cells"]):
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), f"{sys.argv[1]}, cell {number}", "exec"), scope)
