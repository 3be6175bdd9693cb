# SPDX-License-Identifier: GPL-3.0-or-later
"""Profile stores, reports and studies of pcemu as tables.

    import pcemu
    pcemu.Store("runs.db").procedures(event="cycles").frame()
    pcemu.report("report.json").table("time.instructions").frame()
    pcemu.study("study", "cpi").frame()

A table is a list of rows, each a dictionary. frame() makes it a DataFrame, for which pandas has to be installed; all
else needs the standard library alone. The tools pcemu, pcprof and pcsweep are found in PATH, or in `tools`.
"""

import json
import os
import sqlite3
import subprocess
import tempfile

__all__ = ["Error", "Report", "Store", "Table", "report", "run", "study", "tools"]

#: Folder of the tools; None: they are found in PATH.
tools = None

#: PRAGMA application_id and user_version of the stores that this module reads (docs/store-schema.md).
STORE_APPLICATION, STORE_VERSION = 0x70637073, 4


class Error(Exception):
    """A tool, a store or a report says what is wrong."""


class Table(list):
    """Rows, each a dictionary. A member of a member has both names: "time.oracle"."""

    def columns(self):
        """Names of the columns, in the order of their first rows."""
        names = {}
        for row in self:
            names.update(dict.fromkeys(row))
        return list(names)

    def column(self, name):
        """Values of a column; None where a row has none."""
        if self and name not in self.columns():
            raise Error(f"expected one of the columns {', '.join(self.columns())}, found {name!r}")
        return [row.get(name) for row in self]

    def where(self, **values):
        """Rows whose columns have these values."""
        return Table(row for row in self if all(row.get(name) == value for name, value in values.items()))

    def by(self, name, rising=False):
        """Rows in the order of a column, falling; those without a value come last."""
        self.column(name)
        known = [row for row in self if row.get(name) is not None]
        known.sort(key=lambda row: row[name], reverse=not rising)
        return Table(known + [row for row in self if row.get(name) is None])

    def frame(self):
        """A DataFrame of pandas."""
        try:
            import pandas
        except ImportError:
            raise Error("frame() needs pandas; rows, column(), where() and by() do without") from None
        return pandas.DataFrame(list(self), columns=self.columns())


class Report(dict):
    """A report or statistics in JSON (docs/json.md)."""

    def tables(self):
        """Names of all tables."""
        return [name for name, _ in _tables(self, "")]

    def table(self, name):
        """The table of this name, as in "time.instructions"."""
        found = dict(_tables(self, ""))
        if name not in found:
            raise Error(f"expected one of the tables {', '.join(found)}, found {name!r}")
        return Table(_flat(row) for row in found[name])


def _tables(node, name):
    """Arrays of objects in an object, by their path."""
    for key, value in node.items():
        path = f"{name}.{key}" if name else key
        if path == "presentation":
            continue
        if isinstance(value, dict):
            yield from _tables(value, path)
        elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            yield path, value


def _flat(row, name=""):
    """A row with the members of its members."""
    flat = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{name}{key}."))
        else:
            flat[name + key] = value
    return flat


def _tool(name, *words):
    """Standard output of a tool. An exit status other than 0 is an Error, with the tool's message."""
    program = os.path.join(tools, name) if tools else name
    try:
        done = subprocess.run([program, *map(str, words)], capture_output=True, check=False)
    except FileNotFoundError:
        raise Error(f"{program}: not found: set PATH, or pcemu.tools") from None
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        said = [line for line in lines if line.startswith(name)] or lines
        raise Error(said[0] if said else f"{name}: exit status {done.returncode}")
    return done.stdout


def report(path):
    """Reads a report, statistics, or what a command has printed with --format json."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except OSError as error:
        raise Error(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise Error(f"{path}: expected JSON, found: {error}") from None
    if not isinstance(value, dict):
        raise Error(f"{path}: expected an object of JSON, found {type(value).__name__}")
    return Report(value)


def run(*guest, program=None, **options):
    """Runs a guest, and returns its report: run("bench.elf", "12", profile="oracle", max_insts=10**6).

    An option of pcemu has the name of its long form with '_' for '-', and a value, or True if it has none; a list
    repeats it. The guest's standard output is discarded, its standard input is empty, and so its exit status says
    nothing here. Without `program`, a file of the assembler, no profiling program runs.
    """
    words = ["--no-program"] if program is None else ["--program", program]
    for name, values in options.items():
        for value in values if isinstance(values, (list, tuple)) else [values]:
            option = "--" + name.replace("_", "-")
            words += [option] if value is True else [f"{option}={value}"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        command = [os.path.join(tools, "pcemu") if tools else "pcemu", *words, "--format", "json", "-o", path, *guest]
        try:
            done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        except FileNotFoundError:
            raise Error(f"{command[0]}: not found: set PATH, or pcemu.tools") from None
        if not os.path.exists(path):
            lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("pcemu")]
            raise Error(lines[0] if lines else f"pcemu: no report, exit status {done.returncode}")
        return report(path)


def study(folder, *columns, partial=False):
    """Means of numbers of a study's reports, with intervals, by program, configuration and profile (pcsweep table)."""
    words = ["table", folder, "--format", "json", *(["--partial"] if partial else [])]
    for column in columns:
        words += ["--column", column]
    return Report(json.loads(_tool("pcsweep", *words))).table("values")


class Store:
    """A profile store (docs/store.md), which is read only."""

    def __init__(self, path):
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            raise Error(f"{self.path}: there is no such file")
        self._db = sqlite3.connect(f"file:{_quoted(self.path)}?mode=ro", uri=True)
        self._db.row_factory = sqlite3.Row
        try:
            application = self._db.execute("PRAGMA application_id").fetchone()[0]
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise Error(f"{self.path}: expected a profile store, found: {error}") from None
        if application != STORE_APPLICATION:
            raise Error(f"{self.path}: expected a profile store, found another database")
        if version != STORE_VERSION:
            raise Error(f"{self.path}: expected a store of version {STORE_VERSION}, found {version}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._db.close()

    def query(self, sql, *values):
        """Rows of a query; '?' stand for the values. docs/store-schema.md has the views and tables."""
        try:
            return Table(dict(row) for row in self._db.execute(sql, values))
        except sqlite3.Error as error:
            raise Error(f"{self.path}: {error}") from None

    def _view(self, view, order, **columns):
        """Rows of a view with these values; None: any."""
        given = {name: value for name, value in columns.items() if value is not None}
        where = " WHERE " + " AND ".join(f"{name} = ?" for name in given) if given else ""
        return self.query(f"SELECT * FROM {view}{where} ORDER BY {order}", *given.values())

    def runs(self, epoch=None):
        """Runs, with epoch, guest, configuration, cycles and instructions."""
        return self._view("runs", "run", epoch=epoch)

    def samples(self, event=None, run=None, by=None):
        """Values by instruction, with procedure and source line."""
        return self._view("samples", "run, event, by, estimate DESC, address", event=event, run=run, by=by)

    def procedures(self, event=None, epoch=None, by=None):
        """Values of each epoch by procedure, the largest first."""
        return self._view("procedures", "epoch, event, by, estimate DESC, procedure", event=event, epoch=epoch, by=by)

    def report(self, run):
        """The report of a run."""
        return Report(json.loads(_tool("pcprof", "show", f"{self.path}:{run}", "--format", "json")))


def _quoted(path):
    """A path in a URI."""
    return "".join(c if c not in "%?#" else f"%{ord(c):02x}" for c in path)
