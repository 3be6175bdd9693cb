#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Validates JSON reports against docs/report.schema.json, in one process, because Python takes longer to start than to
# validate most reports.
# usage: check_schema.sh REPORT...
set -eu
schema=$(dirname "$0")/../../docs/report.schema.json
for report; do
    set -- "$@" -i "$report"
    shift
done
errors=$(/usr/bin/jsonschema --output pretty "$@" "$schema" 2>&1 > /dev/null) && exit
echo "$errors" | head -n 20
echo "$schema: a report is not valid" >&2
exit 1
