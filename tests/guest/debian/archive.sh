#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the URI of the first archive that serves this machine's own suite, among the apt sources' main sections.
set -eu
# shellcheck disable=SC2016 # apt expands these
uri=$(apt-get indextargets --format '$(REPO_URI) $(SUITE) $(COMPONENT)' 'Created-By: Packages' |
    awk '$3 == "main" && $2 !~ /security|updates|backports/ { print $1; exit }')
[ -n "$uri" ] || { echo "archive.sh: found no Debian archive among this machine's apt sources" >&2; exit 2; }
echo "$uri"
