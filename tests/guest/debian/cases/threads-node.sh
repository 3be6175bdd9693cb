# SPDX-License-Identifier: GPL-3.0-or-later
# packages: nodejs
# threads: node
cat > s.js <<'S'
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
    const crypto = require('crypto'), fs = require('fs'), zlib = require('zlib');
    const sums = [1, 2, 3].map(n => new Promise((ok, bad) => {
        const w = new Worker(__filename, { workerData: n }); w.once('message', ok); w.once('error', bad); }));
    const keys = [1, 2, 3, 4].map(n => new Promise(ok =>
        crypto.pbkdf2('secret', 'salt' + n, 100, 16, 'sha256', (e, k) => ok(k.toString('hex')))));
    const text = fs.promises.writeFile('f', 'text').then(() => fs.promises.readFile('f', 'utf8'));
    const zip = new Promise(ok => zlib.gzip('x'.repeat(10000), (e, b) => ok(zlib.gunzipSync(b).length)));
    Promise.all([...sums, ...keys, text, zip]).then(r => console.log(r.join('\n')));
} else {
    let s = 0; for (let i = 0; i < 10000 * workerData; i++) s += i; parentPort.postMessage(s);
}
S
$RUN $BIN/node s.js
