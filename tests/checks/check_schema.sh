#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Validates the JSON of the tools against its schema, docs/NAME.schema.json, in one process, because Python takes longer
# to start than to validate most files.
# usage: check_schema.sh [-s NAME] FILE...     NAME: report (default), statistics, cost, syscalls, lines
set -eu
name=report
if [ "$1" = -s ]; then
    name=$2
    shift 2
fi
schema=$(dirname "$0")/../../docs/$name.schema.json
for file; do
    set -- "$@" -i "$file"
    shift
done
errors=$(/usr/bin/jsonschema --output pretty "$@" "$schema" 2>&1 > /dev/null) && exit
echo "$errors" | head -n 20
echo "$schema: a file is not valid" >&2
exit 1
