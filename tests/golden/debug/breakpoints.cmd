. "$here"/common.sh
debug <<'END'
break
break newcomer+1
break :15 if slot == 1
tbreak look
break class call
break interrupt
break drop
breakpoints
step
continue
continue
continue
why
continue
ignore 2 1
continue
condition 3 seen
condition 3 slots[slot].seen > 2
breakpoints
continue
rcontinue
rcontinue
disable 2
rcontinue
continue
enable 2
breakpoints
delete 2
delete
breakpoints
present
watch slots[0].taken
watch if slots[0].taken >= 3 && class == branch
watch slots[2].key
watch v0 if v0 != 1
watch pc32
break interrupt
disable 5
breakpoints
goto 0
END
debug <<'END'
watch slots[0].taken
watch if slots[0].seen >= 3
watch slots[2].valid
break interrupt
continue
continue
continue
continue
continue
continue
continue
continue
continue
rcontinue
rcontinue
rcontinue
rcontinue
rcontinue
rcontinue
rcontinue
rcontinue
rcontinue
continue
disable
continue
END
