. "$here"/common.sh
debug <<'END'
# forwards
step
run
s 2
next
n 2
finish
finish
next 2
until newcomer
until :20
until taken.pasm:22
continue 2
# backwards
rstep
rs 3
why
rnext
rnext
rnext 2
rfinish
runtil newcomer
rcontinue
rstep
continue
goto 10
goto cycle 80
goto sample 4
goto 3
step 5
next
where
goto end
history
settings
settings history-limit 8
settings
continue
rcontinue
rstep
rnext
goto 20
step 1000000
END
cat report | head -6
