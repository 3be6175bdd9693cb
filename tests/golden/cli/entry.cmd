# A class that passes the filter and has no entry.
printf '.program p\n.filter class load, store\n.entry load go\ngo: done\n' > p.pasm
pcasm p.pasm
