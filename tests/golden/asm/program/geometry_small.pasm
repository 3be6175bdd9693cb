.base rows = 8
.slot rows[8] {
key : dec
}
.geometry cam 8, data 16
done
