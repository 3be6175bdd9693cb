# SPDX-License-Identifier: GPL-3.0-or-later
# The start of the scripts that open exports with other people's tools: an empty folder to work in, with the tools of
# the build folder $1 in PATH. `bad` is 1 when a comparison has failed. To be sourced with its caller's arguments.
# shellcheck shell=sh
# shellcheck disable=SC2034 # used by the scripts
export LC_ALL=C
build=$(cd "$1" && pwd) root=$(pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME="$tmp" DEBUGINFOD_URLS='' PATH="$build/bin:$PATH"
bad=0 script=$(basename "$0")

fails() { echo "$script: $*" >&2; bad=1; }
# same WHAT A B
same() { [ "$2" = "$3" ] || fails "$1: expected $2, found $3"; }
