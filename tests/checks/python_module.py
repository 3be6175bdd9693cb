# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module in the folder that check_python.sh has made, with a study, a store and a report."""
import sqlite3

import pcemu


def refused(expected, call, *arguments, **options):
    """The call raises an Error whose text begins so."""
    try:
        call(*arguments, **options)
    except pcemu.Error as error:
        assert str(error).startswith(expected), f"expected '{expected}', found '{error}'"
    else:
        raise AssertionError(f"expected an error, '{expected}'")


rows = pcemu.Table([{"a": 1, "b": "x"}, {"a": 3}, {"b": "x"}, {"a": 2, "b": "y"}])
assert rows.columns() == ["a", "b"]
assert rows.column("a") == [1, 3, None, 2]
assert rows.by("a").column("a") == [3, 2, 1, None]
assert rows.by("a", rising=True).column("a") == [1, 2, 3, None]
assert rows.where(b="x") == [{"a": 1, "b": "x"}, {"b": "x"}]
assert isinstance(rows.where(b="x").by("a"), pcemu.Table)
refused("expected one of the columns a, b", rows.column, "c")
assert pcemu.Table().column("any") == []
try:
    import pandas
except ImportError:
    refused("frame() needs pandas", rows.frame)
else:
    assert list(rows.frame().columns) == ["a", "b"] and rows.frame()["a"].sum() == 6
    assert isinstance(rows.frame(), pandas.DataFrame)

report = pcemu.report("report.json")
assert "time.instructions" in report.tables() and not any("presentation" in name for name in report.tables())
refused("expected one of the tables", report.table, "time.nothing")
refused("absent: No such file", pcemu.report, "absent")
refused("study.conf: expected JSON", pcemu.report, "study.conf")

with pcemu.Store("study.db") as store:
    runs = store.runs(epoch="sort.tiny")
    assert len(store.runs()) == 6 and runs.column("epoch") == ["sort.tiny", "sort.tiny"]
    number = runs[0]["run"]
    cycles = sum(store.samples(event="cycles", run=number).column("estimate"))
    # The oracle has all cycles of a run.
    assert abs(cycles - runs[0]["cycles"]) < 1e-6 * cycles
    assert store.report(number)["cycles"] == runs[0]["cycles"]
    assert store.query("SELECT 2 * ? AS twice", 21) == [{"twice": 42}]
    refused("study.db: ", store.query, "DELETE FROM run")
    refused("study.db: ", store.query, "SELECT")
    refused("pcprof: ", store.report, 99)
refused("absent: there is no such file", pcemu.Store, "absent")
refused("study.conf: expected a profile store", pcemu.Store, "study.conf")
sqlite3.connect("other.db").execute("CREATE TABLE t (x)")
refused("other.db: expected a profile store, found another", pcemu.Store, "other.db")

assert pcemu.run("./sort", 12, max_insts=1000, set=["rob_entries=32", "ftq_entries=16"])["cycles"] > 0
refused("pcemu: --profile: there is no profiler", pcemu.run, "./sort", profile="orcale")
refused("pcsweep: ", pcemu.study, "absent", "cpi")
pcemu.tools = "/nowhere"
refused("/nowhere/pcemu: not found", pcemu.run, "./sort")
refused("/nowhere/pcsweep: not found", pcemu.study, "study", "cpi")
