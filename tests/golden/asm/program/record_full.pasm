; seventeen fields
mov pc -> v0
mov pc32 -> v0
mov word -> v0
mov class -> v0
mov length -> v0
mov rd -> v0
mov rs1 -> v0
mov rs2 -> v0
mov imm -> v0
mov target -> v0
mov target32 -> v0
mov operand1 -> v0
mov operand2 -> v0
mov result -> v0
mov result32 -> v0
mov ea -> v0
mov ea32 -> v0
done
