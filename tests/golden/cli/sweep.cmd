# Commands of pcsweep: an unknown one, and help.
pcsweep
pcsweep pln
pcsweep help plan | head -n 1
pcsweep plan
pcsweep plan missing.conf
