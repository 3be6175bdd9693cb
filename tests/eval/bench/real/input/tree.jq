# SPDX-License-Identifier: GPL-3.0-or-later
# jq: objects made, grouped, and changed along their paths
[range(6000) | {id: ., kind: (. * 7919 % 13), tags: [range(. % 4) | "t\(.)"], size: (. * . % 1009)}]
| (group_by(.kind) | map({kind: .[0].kind, n: length, total: (map(.size) | add)})),
  (map(select(.tags | length > 2)) | sort_by(.size, .id) | .[0:5] | map(tojson)),
  ([.[0:800][] | paths(type == "string")] | length),
  ([.[] | .size] | reduce .[] as $x (0; . * 31 + $x | . % 1000003))
