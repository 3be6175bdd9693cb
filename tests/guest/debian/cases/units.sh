# SPDX-License-Identifier: GPL-3.0-or-later
# packages: units
$RUN $BIN/units -f ../root/usr/share/units/definitions.units -t '3 miles' km; $RUN $BIN/units -f ../root/usr/share/units/definitions.units -t 'tempF(451)' tempC
