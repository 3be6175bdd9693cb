# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/sqlite3 db 'pragma journal_mode=wal; create table t(a); insert into t values (1),(2);'
$RUN $BIN/sqlite3 db 'insert into t select a + 10 from t; select sum(a) from t; pragma wal_checkpoint(truncate);'
$RUN $BIN/sqlite3 db .dump
