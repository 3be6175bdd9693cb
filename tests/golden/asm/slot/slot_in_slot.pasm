.base rows = 0
.slot rows[8] {
    a : 8
.slot rows[8] {
    b : 8
}
done
