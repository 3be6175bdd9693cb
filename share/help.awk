# SPDX-License-Identifier: GPL-3.0-or-later
# `make help`: the targets, from the lines "## TARGET: what it makes" beside them in the makefiles.

/^## [a-z0-9-]+: / {
    target = $2
    sub(/:$/, "", target)
    sub(/^## [a-z0-9-]+: /, "")
    printf "  %-20s %s\n", target, $0
}
