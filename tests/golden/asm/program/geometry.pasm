.geometry cam 3, data 2048, rows 4
.geometry cam 4
done
