	.indx foo
	.const a = 08
	.const b = 1/0, c
	.slot slots[ {
	   key : pc
	}
	.base slots = 70000
	.filter clas load
	.entry lod  foo
look:	incc slots[slot].total	| if mis goto nw
	mov pc32 -> v0 | add v1, result -> v1
	st slots[i0].d, 5
"abc
