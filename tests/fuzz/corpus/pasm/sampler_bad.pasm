.sampler tip, period=3, random, seed=1
.sampler profileme, opportunity, window=
.filter class load
.entry load go
go: mov tippc3 -> v0
.sampler retire, x
done
