# SPDX-License-Identifier: GPL-3.0-or-later
# packages: xmlstarlet libxml2-utils xsltproc expat
# cores: functional ooo check
echo '<r><a n="1">x</a><a n="2">y &amp; z</a></r>' > x.xml
$RUN $BIN/xmllint --format x.xml; $RUN $BIN/xmllint --xpath 'sum(//a/@n)' x.xml; $RUN $BIN/xmlstarlet sel -t -m //a -v @n -o : -v . -n x.xml; $RUN $BIN/xmlwf x.xml; echo $?; echo '<r>' | $RUN $BIN/xmlwf
cat > t.xsl <<'S'
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="text"/>
<xsl:template match="/"><xsl:for-each select="//a"><xsl:sort select="@n" order="descending"/><xsl:value-of select="."/>;</xsl:for-each></xsl:template></xsl:stylesheet>
S
$RUN $BIN/xsltproc t.xsl x.xml
