	cmp	v0, one1	| if eq	goto	nowhere
	done
