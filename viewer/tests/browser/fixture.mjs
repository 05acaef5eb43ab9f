// A browser, results made by the program, and servers that show them.
import {spawn, execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const program = process.env.CARDAN_PROGRAM ?? join(root, 'build/release/bin/cardan');
if (!existsSync(program)) throw new Error(`${program} is not there; build it, or set CARDAN_PROGRAM`);
/** A page in place of the program's own, to try one without building the program again. */
const ownPage = process.env.CARDAN_PAGE ? readFileSync(process.env.CARDAN_PAGE, 'utf8') : null;
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Milliseconds; a software renderer on a busy machine is slow. Nothing waits this long unless it fails. */
const patience = Number(process.env.CARDAN_PATIENCE ?? 180000);

export const folder = mkdtempSync(join(tmpdir(), 'cardan-browser-'));
const servers = [];
let browser = null;

export async function stop() {
  for (const server of servers) server.kill('SIGTERM');
  await browser?.close();
  rmSync(folder, {recursive: true, force: true});
}

/** A result folder of a model in models/. */
export function run(model, name = model, ...options) {
  const out = join(folder, name);
  execFileSync(program, ['run', join(root, 'models', `${model}.yaml`), '--out', out, ...options], {stdio: 'ignore'});
  return out;
}

/** The file of a model that a page of the documentation shows, by the model's name. */
export function documented(page, name) {
  const text = readFileSync(join(root, page), 'utf8');
  const block = [...text.matchAll(/```yaml\n([^]*?)```/g)].map(([, model]) => model).find((model) => model.includes(`\nname: ${name}\n`));
  if (!block) throw new Error(`${page} shows no model ${name}`);
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, block);
  return file;
}
/** A result folder of any model file. */
export function runFile(file, name, ...options) {
  const out = join(folder, name);
  execFileSync(program, ['run', file, '--out', out, ...options], {stdio: 'ignore'});
  return out;
}

/** The address of `cardan view` for some folders. */
export async function view(...paths) {
  const server = spawn(program, ['view', ...paths, '--no-browser', '--seconds', '7200'], {stdio: ['ignore', 'pipe', 'inherit']});
  servers.push(server);
  let text = '';
  return new Promise((resolve, reject) => {
    server.stdout.on('data', (data) => {
      text += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\//.exec(text);
      if (found) resolve(found[0]);
    });
    server.on('exit', (code) => reject(new Error(`cardan view ended with ${code}`)));
  });
}

/** `cardan drive` of a model: its address, its process, and a promise of its end. */
export async function drive(model, ...options) {
  const server = spawn(program, ['drive', model, '--no-browser', '--seconds', '3600', '--overwrite', ...options], {stdio: ['ignore', 'pipe', 'inherit']});
  servers.push(server);
  let text = '';
  const ended = new Promise((resolve) => server.on('exit', (code) => resolve({code, text})));
  const address = await new Promise((resolve, reject) => {
    server.stdout.on('data', (data) => {
      text += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//.exec(text);
      if (found) resolve(found[0]);
    });
    void ended.then(({code}) => reject(new Error(`cardan drive ended with ${code}`)));
  });
  return {address, server, ended};
}

/** A report as the page to be tried would show it: its data put into that page. */
export function inOwnPage(file) {
  if (!ownPage) return;
  const data = /<script type="application\/json" id="cardan-data">[^<]*<\/script>/.exec(readFileSync(file, 'utf8'))[0];
  writeFileSync(file, ownPage.replace('<!--cardan-data-->', () => data));
}

/** A page; whatever it complains about is in `complaints`. */
export async function open(address, {width = 1280, height = 800, colorScheme = 'light', wait = true, hasTouch = false} = {}) {
  browser ??= await chromium.launch({
    executablePath: browserPath,
    timeout: patience,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
      ...(ownPage ? ['--disable-features=LocalNetworkAccessChecks'] : [])], // a page from nowhere may have sockets
  });
  const page = await browser.newPage({viewport: {width, height}, colorScheme, hasTouch});
  page.setDefaultTimeout(patience);
  page.complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  if (ownPage && address.startsWith('http')) {
    await page.route((url) => /^\/[\w-]+\/$/.test(url.pathname), (route) => route.fulfill({body: ownPage, contentType: 'text/html'}));
  }
  await page.goto(address);
  if (wait) await ready(page);
  return page;
}
export async function ready(page) {
  await page.waitForFunction(() => window.cardan?.ready);
  await settled(page);
}
/** Two frames later everything asked for has been drawn. */
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
/** trajectory.csv by column; reads only what the models here contain. */
export function readCsv(path) {
  const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => line.split(',').map(Number));
  return {names, rows, column: (name) => rows.map((row) => row[names.indexOf(name)])};
}

/** A direction of the drawing as a body has turned it at a row, from the files alone. */
export function turned(scene, csv, row, bodyName, d) {
  const body = scene.bodies.find((b) => b.name === bodyName);
  if (!body) return d; // ground
  const value = (suffix) => csv.rows[row][csv.names.indexOf(`${bodyName}.${suffix}`)];
  const local = body.axes.map((axis) => axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]);
  if (scene.planar) {
    const [c, s] = [Math.cos(value('angle')), Math.sin(value('angle'))];
    return [c * local[0] - s * local[1], s * local[0] + c * local[1], local[2]];
  }
  const [w, x, y, z] = ['qw', 'qx', 'qy', 'qz'].map(value);
  const m = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  return m.map((line) => line[0] * local[0] + line[1] * local[1] + line[2] * local[2]);
}
/** Where a drawn point of a body is at a row. */
export function pointAt(scene, csv, row, bodyName, p) {
  const body = scene.bodies.find((b) => b.name === bodyName);
  const value = (suffix) => csv.rows[row][csv.names.indexOf(`${bodyName}.${suffix}`)];
  const arm = turned(scene, csv, row, bodyName, [0, 1, 2].map((i) => p[i] - body.center[i]));
  return [value('x') + arm[0], value('y') + arm[1], scene.planar ? 0 : value('z') + arm[2]];
}

/** Through the camera's matrix onto the canvas, CSS pixels. */
export function projected({matrix: m, width, height}, p) {
  const clip = [0, 1, 3].map((i) => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);
  return [(1 + clip[0] / clip[2]) / 2 * width, (1 - clip[1] / clip[2]) / 2 * height];
}
