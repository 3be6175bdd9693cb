" SPDX-License-Identifier: GPL-3.0-or-later
au BufRead,BufNewFile *.pasm setfiletype pasm | setlocal commentstring=;\ %s
