// The server by itself, spoken to byte by byte.
import assert from 'node:assert/strict';
import {symlinkSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {networkInterfaces} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {folder, readCsv, run, stop, view} from './fixture.mjs';

let result, port, secret; // what every address begins with: /TOKEN
before(async () => {
  result = run('four_bar');
  writeFileSync(join(folder, 'secret.txt'), 'SECRET');
  symlinkSync(join(folder, 'secret.txt'), join(result, 'link.txt'));
  symlinkSync('/etc', join(result, 'etc'));
  const address = new URL(await view(result));
  port = Number(address.port);
  secret = address.pathname.slice(0, -1);
});
after(stop);

/** What comes back for some bytes; '' when the connection is closed without a word. */
function send(bytes, host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let text = '';
    socket.setTimeout(30000, () => {
      socket.destroy();
      resolve(text);
    });
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text || error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error)));
    socket.write(bytes);
  });
}
const getAsIs = (target, method = 'GET', headers = '') => send(`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${headers}\r\n`);
const get = (target, method, headers) => getAsIs(secret + target, method, headers);
const status = (reply) => Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1]);

test('the page and the files of the result are served, with HEAD as well', async () => {
  assert.equal(status(await get('/')), 200);
  const scene = await get('/api/runs/0/files/scene.json');
  assert.equal(status(scene), 200);
  assert.match(scene, /cardan_scene/);
  const head = await get('/api/runs/0/files/scene.json', 'HEAD');
  assert.equal(status(head), 200);
  assert.match(head, /Content-Length: [1-9]/);
  assert.ok(!head.includes('cardan_scene'));
});

test('nothing outside the result folder is served', async () => {
  for (const path of [
    '../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', '%2e%2e%2fsecret.txt', 'etc/passwd', 'link.txt', '/etc/passwd', '%2fetc%2fpasswd',
    './../secret.txt', 'x/../../secret.txt', '..\\secret.txt', '....//secret.txt', '%00', 'scene.json%00', '', '.', '..', '%', '%zz', 'etc',
  ]) {
    const reply = await get(`/api/runs/0/files/${path}`);
    assert.ok([400, 403, 404].includes(status(reply)), `${path}: ${reply.slice(0, 40)}`);
    assert.ok(!/SECRET|root:/.test(reply), path);
  }
  for (const target of ['/../../etc/passwd', '/etc/passwd', '//etc/passwd', '/api/runs/0/../../files', '/api/runs/99/status', '/api/runs/-1/status', '/api/runs//status', '/api/runs/0', '/favicon.ico']) {
    assert.equal(status(await get(target)), 404, target);
  }
});

test('without the secret of the address nothing is served', async () => {
  assert.match(secret, /^\/[0-9a-f]{32}$/);
  const other = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  for (const target of ['/', '/index.html', '/api/runs', '/api/runs/0/status', '/api/runs/0/files/scene.json', '/favicon.ico', '//', secret.slice(0, -1) + '/', other + '/', secret + '0/', other + '/api/runs', '/api/runs' + secret + '/', `/?token=${secret.slice(1)}`]) {
    const reply = await getAsIs(target);
    assert.equal(status(reply), 403, target);
    assert.ok(!/cardan_scene|four/.test(reply), target);
  }
  assert.match(await getAsIs('/'), /lacks the secret/);
  assert.match(await get('/'), /Referrer-Policy: no-referrer/);
});

test('only GET and HEAD, only for this host, no bodies', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'CONNECT', 'BREW']) {
    assert.ok([400, 405].includes(status(await get('/', method))), method);
  }
  assert.match(await get('/', 'POST'), /Allow: GET, HEAD/);
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '']) {
    assert.equal(status(await send(`GET ${secret}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)), 403, host);
  }
  assert.equal(status(await send(`GET ${secret}/ HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)), 200);
  assert.equal(status(await get('/', 'GET', 'Content-Length: 5\r\n')), 413);
});

test('malformed and oversized requests are survived', async () => {
  const many = Array.from({length: 2000}, (_, i) => `X-${i}: y\r\n`).join('');
  for (const bytes of [
    '\r\n\r\n', 'nonsense\r\n\r\n', 'GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTP/1.1\r\nBroken\r\n\r\n', '\0\0\0\0\0\r\n\r\n',
    Buffer.from(Array.from({length: 3000}, (_, i) => (i * 131 + 7) % 256)), `GET /${'a'.repeat(100000)} HTTP/1.1\r\n\r\n`,
    `GET / HTTP/1.1\r\n${many}\r\n`, 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n\r\n',
  ]) {
    const reply = await send(bytes);
    assert.ok(reply === '' || status(reply) >= 400, `${String(bytes).slice(0, 30)}: ${reply.slice(0, 40)}`);
  }
  for (const query of ['columns=a', 'columns=0-99999', 'columns=5-2', 'columns=-1', 'columns=99999999999999999999', 'columns=0&count=abc&from=-5', 'from_time=nan&to_time=inf&count=10', 'count=0', 'from=9&to=3', '&&&==&', 'columns=%%%']) {
    for (const kind of ['samples', 'extremes']) assert.ok([200, 400].includes(status(await get(`/api/runs/0/${kind}?${query}`))), query);
  }
  // Many connections that say nothing leave room for one that does, once they are gone.
  const idle = Array.from({length: 100}, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(idle.map((socket) => new Promise((done) => socket.on('connect', done).on('close', done))));
  for (const socket of idle) socket.destroy();
  for (let tries = 0; tries < 50 && status(await get('/api/runs')) !== 200; ++tries) await new Promise((done) => setTimeout(done, 100));
  assert.equal(status(await get('/api/runs')), 200);
});

test('samples come as numbers of the file', async () => {
  const csv = readCsv(join(result, 'trajectory.csv'));
  const reply = await fetch(`http://127.0.0.1:${port}${secret}/api/runs/0/samples?columns=0,2&from=10&to=20&count=10`);
  const buffer = await reply.arrayBuffer();
  assert.deepEqual([...new Uint32Array(buffer, 0, 2)], [10, 3]);
  const numbers = new Float64Array(buffer, 8);
  for (let i = 0; i < 10; ++i) {
    assert.deepEqual([numbers[i], numbers[10 + i], numbers[20 + i]], [10 + i, csv.rows[10 + i][0], csv.rows[10 + i][2]]);
  }
});

test('answers on loopback alone', async () => {
  // All of 127.0.0.0/8 is this machine: whoever listens everywhere answers at 127.0.0.2 too.
  const others = Object.values(networkInterfaces()).flat().filter((address) => !address.internal && address.family === 'IPv4');
  for (const address of ['127.0.0.2', ...others.map((other) => other.address)]) {
    await assert.rejects(() => send('GET / HTTP/1.1\r\n\r\n', address), /ECONNREFUSED/);
  }
});
