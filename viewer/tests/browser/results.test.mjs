// Results that are broken, half-written, growing, long, or inside a report.
import assert from 'node:assert/strict';
import {appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {folder, open, program, readCsv, ready, root, run, settled, stop, view} from './fixture.mjs';
import {writeLongResult} from './long_result.mjs';

let good;
before(() => {
  good = run('double_four_bar', 'good');
});
after(stop);

/** A changed copy of a good result. */
function broken(name, change) {
  const out = join(folder, name);
  cpSync(good, out, {recursive: true});
  change(out);
  return out;
}
/** As if nothing had been written for a minute. */
function quiet(out) {
  for (const name of ['trajectory.csv']) utimesSync(join(out, name), Date.now() / 1000 - 60, Date.now() / 1000 - 60);
}
const csv = (out) => readFileSync(join(out, 'trajectory.csv'), 'utf8');

const cases = [
  ['cut in the last line, without summary', (out) => {
    writeFileSync(join(out, 'trajectory.csv'), csv(out).slice(0, 40000));
    rmSync(join(out, 'summary.json'));
    quiet(out);
  }, [/cut off/, /interrupted/], true],
  ['no scene.json', (out) => rmSync(join(out, 'scene.json')), [/scene\.json is missing/], true],
  ['scene.json cut off', (out) => writeFileSync(join(out, 'scene.json'), '{"cardan_scene": 1, "bod'), [/scene\.json is no valid JSON/], true],
  ['summary.json broken', (out) => {
    writeFileSync(join(out, 'summary.json'), '{"status": ');
  }, [/summary\.json is no valid JSON/], true],
  ['numbers that are none', (out) => {
    const lines = csv(out).split('\n');
    lines[5] = lines[5].replace(/,[^,]*/, ',oops');
    lines[9] = lines[9].split(',').slice(0, 4).join(',');
    lines[12] = lines[12].split(',').map((x, i) => (i ? 'nan' : x)).join(',');
    writeFileSync(join(out, 'trajectory.csv'), lines.join('\n'));
    writeFileSync(join(out, 'summary.json'), readFileSync(join(out, 'summary.json')));
  }, [/2 lines of trajectory\.csv are broken, the first is line 6/], true],
  ['no trajectory.csv', (out) => rmSync(join(out, 'trajectory.csv')), [/trajectory\.csv is missing: the mechanism is shown as drawn/], true],
  ['only a header', (out) => {
    writeFileSync(join(out, 'trajectory.csv'), csv(out).split('\n')[0] + '\n');
    writeFileSync(join(out, 'summary.json'), readFileSync(join(out, 'summary.json')));
  }, [/no complete sample/], true],
  ['nothing at all', (out) => {
    for (const name of ['trajectory.csv', 'scene.json', 'summary.json', 'steps.csv']) rmSync(join(out, name));
  }, [/There is no trajectory\.csv/], false],
];

for (const [what, change, messages, shown] of cases) {
  test(`a result with ${what} gives a message and what it has`, async () => {
    const out = broken(what.replace(/\W+/g, '_'), change);
    const page = await open(await view(out), {wait: shown});
    for (const message of messages) {
      await page.waitForFunction((source) => new RegExp(source).test([...document.querySelectorAll('.messages, .notice')].map((e) => e.textContent).join('')), message.source);
    }
    if (shown) {
      await page.evaluate(() => cardan.seek(0.1));
      await settled(page);
      const at = await page.evaluate(() => cardan.projectBody('crank'));
      assert.ok(at.every(Number.isFinite));
    }
    // Files that are missing are asked for and not found; that alone is no complaint of the page.
    assert.deepEqual(page.complaints.filter((text) => !/404/.test(text)), []);
    await page.close();
  });
}

test('a copy of a result is finished whatever the times of its files', async () => {
  const out = broken('copied', (o) => {
    utimesSync(join(o, 'summary.json'), Date.now() / 1000 - 120, Date.now() / 1000 - 120);
    quiet(o);
  });
  const page = await open(await view(out));
  assert.equal(await page.textContent('.state'), '');
  assert.equal((await page.textContent('.messages')).trim(), '');
  assert.match(await page.textContent('.method'), /hybrid/);
  await page.close();
});

test('a failed run says why', async () => {
  const out = broken('failed', (o) => {
    const summary = JSON.parse(readFileSync(join(o, 'summary.json'), 'utf8'));
    writeFileSync(join(o, 'summary.json'), JSON.stringify({...summary, status: 'failed', reason: 'the step at 3 s did not converge'}));
  });
  const page = await open(await view(out));
  assert.match(await page.textContent('.messages'), /The simulation failed: the step at 3 s did not converge/);
  await page.close();
});

test('a run is shown while it goes on, and the next one in the same folder after it', async () => {
  const out = join(folder, 'live');
  mkdirSync(out);
  const page = await open(await view(out), {wait: false});
  await page.waitForFunction(() => /no trajectory/.test(document.querySelector('.notice').textContent));
  const lines = csv(good).split('\n');
  cpSync(join(good, 'scene.json'), join(out, 'scene.json'));
  writeFileSync(join(out, 'trajectory.csv'), lines.slice(0, 51).join('\n') + '\n');
  // A file left alone for five seconds counts as abandoned, and a busy machine may take that long.
  const alive = setInterval(() => utimesSync(join(out, 'trajectory.csv'), new Date(), new Date()), 500);
  await ready(page);
  await page.waitForFunction(() => document.querySelector('.state').textContent === 'running');
  await page.waitForFunction(() => cardan.app.shown[0].trajectory.rows === 50);
  appendFileSync(join(out, 'trajectory.csv'), lines.slice(51, 101).join('\n') + '\n0.99,1');
  await page.waitForFunction(() => cardan.app.shown[0].trajectory.rows === 100);
  await page.waitForFunction(() => Math.abs(cardan.time - 0.99) < 1e-9); // the picture keeps up
  clearInterval(alive);
  appendFileSync(join(out, 'trajectory.csv'), lines[101].slice('0.99,1'.length) + '\n');
  writeFileSync(join(out, 'trajectory.csv'), lines.join('\n'));
  cpSync(join(good, 'summary.json'), join(out, 'summary.json'));
  writeFileSync(join(out, 'summary.json'), readFileSync(join(good, 'summary.json')));
  await page.waitForFunction(() => cardan.app.shown[0].trajectory.rows === 1001 && document.querySelector('.state').textContent === '');
  assert.match(await page.textContent('.method'), /hybrid/);
  run('slider_crank', 'live', '--overwrite');
  await page.waitForFunction(() => document.querySelector('h1').textContent === 'slider-crank');
  assert.deepEqual(page.complaints.filter((text) => !/404/.test(text)), []);
  await page.close();
});

test('a model is run while the page shows it', async () => {
  const page = await open(await view(join(root, 'models/four_bar.yaml')));
  await page.waitForFunction(() => /hybrid|global|topological|recursive|cartesian/.test(document.querySelector('.method').textContent));
  assert.ok((await page.evaluate(() => cardan.app.shown[0].trajectory.rows)) > 10);
  await page.close();
});

test('a long result opens within seconds, its plots keep every peak', async () => {
  const rows = Number(process.env.CARDAN_LONG_ROWS ?? 1e5);
  const out = join(folder, 'long');
  await writeLongResult(out, rows, 100);
  // Compared with a short result, since the browser itself takes its time on a busy machine.
  const short = await view(good);
  const address = await view(out);
  const openingTime = async () => {
    const start = Date.now();
    await (await open(short)).close();
    return (Date.now() - start) / 1000;
  };
  const before = await openingTime();
  const begin = Date.now();
  const page = await open(address);
  const opened = (Date.now() - begin) / 1000;
  await page.waitForFunction(() => cardan.drawn('b1.angle')?.values.some((v) => v !== null));
  const plotted = (Date.now() - begin) / 1000;
  await page.evaluate(() => cardan.app.plots.toggle('b3.x'));
  // One sample of all has a peak of 1000 in this column.
  await page.waitForFunction(() => Math.max(...(cardan.drawn('b3.x')?.values ?? [])) === 1000);
  const summarized = (Date.now() - begin) / 1000;
  const points = await page.evaluate(() => cardan.drawn('b3.x').t.length);
  const usual = Math.max(before, await openingTime()); // the load may change meanwhile
  console.log(`${rows} x 100 samples, ${(statSync(join(out, 'trajectory.csv')).size / 1e6).toFixed(0)} MB: opened after ${opened} s (a short one after ${usual} s), plotted after ${plotted} s, all extremes after ${summarized} s, ${points} points drawn`);
  assert.ok(points < 6000);
  assert.ok(opened < 2 * usual + 8, `${opened} s`);
  // Around the current time every sample is there.
  await page.evaluate((t) => cardan.seek(t), 0.5 * rows * 1e-3);
  await page.waitForFunction(() => {
    const {table} = cardan.app.stage.views[0].place;
    return table.start <= cardan.time && table.end >= cardan.time && table.t[1] - table.t[0] < 1.5e-3;
  });
  await page.keyboard.press('ArrowRight');
  await settled(page);
  const time = await page.evaluate(() => cardan.time);
  assert.ok(Math.abs(time - (0.5 * rows + 1) * 1e-3) < 1e-6, `${time}`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a report opens from disk, complete', async () => {
  const file = join(folder, 'report.html');
  const out = join(folder, 'reported');
  execFileSync(program, ['run', join(root, 'models/bricard.yaml'), '--out', out, '--report', file], {stdio: 'ignore'});
  console.log(`report: ${statSync(file).size} bytes`);
  assert.ok(statSync(file).size < 5e6);
  const page = await open(`file://${file}`);
  assert.equal(await page.title(), 'bricard');
  const text = await page.textContent('body');
  for (const part of ['Summary', 'To repeat it', '--report', 'rod1: {rod: [P1, P2]', 'Iterations', 'Energy error', 'Constraint violation']) assert.ok(text.includes(part), part);
  const trajectory = readCsv(join(out, 'trajectory.csv'));
  await page.evaluate((t) => cardan.seek(t), trajectory.rows[400][0]);
  await settled(page);
  const place = await page.evaluate(() => cardan.app.stage.views[0].poses.position[0]);
  assert.ok(Math.abs(place - trajectory.column('rod1.x')[400]) < 1e-6);
  await page.waitForFunction(() => document.querySelectorAll('.report-plot canvas').length === 4);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('files can be dropped on the page', async () => {
  const page = await open(`file://${join(root, 'viewer/dist/index.html')}`, {wait: false});
  await page.waitForFunction(() => /Drop the files/.test(document.querySelector('.notice').textContent));
  await page.setInputFiles('input[type=file]', ['trajectory.csv', 'scene.json', 'summary.json'].map((name) => join(good, name)));
  await ready(page);
  assert.equal(await page.textContent('h1'), 'double-four-bar');
  assert.equal(await page.evaluate(() => cardan.app.shown[0].trajectory.rows), 1001);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
