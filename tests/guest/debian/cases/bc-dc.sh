# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo check
echo 'scale=60; 4*a(1); e(1); sqrt(2); 2^200; define f(n){if(n<2)return 1;return n*f(n-1)}; f(40)' | $RUN $BIN/bc -l
echo '2 100 ^ p 16 o 255 p k' | $RUN $BIN/dc 2>/dev/null
