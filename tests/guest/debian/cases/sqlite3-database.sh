# SPDX-License-Identifier: GPL-3.0-or-later
cat > q <<'S'
create table t(id integer primary key, name text, x real);
with recursive c(i) as (select 1 union all select i+1 from c where i < 2000)
insert into t select i, 'name' || i, i * 0.5 from c;
create index ix on t(name);
select count(*), sum(x), max(name) from t;
begin; delete from t where id % 3 = 0; rollback;
select count(*) from t; update t set x = x * 2 where id < 10;
select * from t where name like 'name19%' limit 5;
select json_extract('{"a":[1,2,3]}', '$.a[1]'), printf('%.3f', sqrt(2));
S
$RUN $BIN/sqlite3 db < q
$RUN $BIN/sqlite3 db 'pragma integrity_check; select avg(x) from t;'
$RUN $BIN/sqlite3 -csv -header db 'select * from t limit 3' > csv
