# guest: mix
# Watchpoints of the server, which stops behind the access.
break main
continue
watch total
rwatch data[7]
awatch pairs[1].weight
continue
continue
continue
continue
delete 2
continue
continue
continue
info watchpoints
continue
