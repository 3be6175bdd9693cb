; errors: seventeen fields in the record
.record pc, pc32, word, class, length, rd, rs1, rs2, imm, target, ea, ea32, sp, bytes, taken, cause, replay
 done
