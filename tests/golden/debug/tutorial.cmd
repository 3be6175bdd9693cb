# The session of docs/debugger.md, word by word: its program and samples are the document's, and what is typed there is typed again.
document=$here/../../../docs/debugger.md
block() { awk -v head="\`\`\`$1" '$0 == head { on = 1; next } /^```/ { on = 0 } on' "$document"; }
block "pasm taken.pasm" > taken.pasm
block samples > samples
block session > session
[ -s taken.pasm ] && [ -s samples ] && [ -s session ] || echo "docs/debugger.md has no session"
pcasm taken.pasm
sed -n 's/^(pcemu[^)]*) //p' session | pcemu --core samples:samples -x - -o report > again 2>&1
diff session again && echo "as in the document"
