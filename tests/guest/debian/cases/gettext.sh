# SPDX-License-Identifier: GPL-3.0-or-later
# packages: gettext
# cores: functional ooo check
printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "yes"\nmsgstr "ja"\n' > a.po; $RUN $BIN/msgfmt -o a.mo a.po; $RUN $BIN/msgunfmt a.mo; cksum < a.mo
printf 'f(_("text"));\n' > a.c; $RUN $BIN/xgettext -k_ --omit-header -o - a.c
