// Reports of studies and comparisons, opened from disk as a user would: tables, plots, animation, legend, narrow screens.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {documented, folder, inOwnPage, open, program, ready, root, settled, stop} from './fixture.mjs';

after(stop);

/** Every plot of the page has been drawn. */
async function plotsDrawn(page) {
  await page.waitForFunction(() => {
    const plots = [...document.querySelectorAll('.report-plot')];
    return plots.length > 0 && plots.every((plot) => plot.querySelector('canvas')?.width > 0);
  });
}
/** Pixels that a plot's canvas has coloured, apart from text and grid. */
function inked(page, title) {
  return page.evaluate((wanted) => {
    const plot = [...document.querySelectorAll('.report-plot')].find((p) => p.querySelector('h2').textContent === wanted);
    const canvas = plot.querySelector('canvas');
    // Read from a copy: Chromium draws a canvas differently once its own pixels have been read.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
    copy.drawImage(canvas, 0, 0);
    const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b, a] = [data[i], data[i + 1], data[i + 2], data[i + 3]];
      if (a > 128 && Math.max(r, g, b) - Math.min(r, g, b) > 40) ++count;
    }
    return count;
  }, title);
}
async function fits(page) {
  const {scroll, width} = await page.evaluate(() => ({scroll: document.documentElement.scrollWidth, width: innerWidth}));
  assert.ok(scroll <= width, `${scroll} wide on a screen of ${width}`);
}

test('a study writes one page: published beside ours, plots, animation, command and model', async () => {
  const out = join(folder, 'puma');
  const text = execFileSync(program, ['study', 'puma', '--out', out], {encoding: 'utf8'});
  const file = join(out, 'puma.html');
  assert.ok(text.includes(`written: ${join(out, '*.csv')}, ${file}`), text);
  inOwnPage(file);
  console.log(`puma.html: ${statSync(file).size} bytes`);
  assert.ok(statSync(file).size < 5e6);
  const page = await open(`file://${file}`);
  const body = await page.textContent('body');
  for (const part of ['Cuadrado, Dopico', 'table 3', 'published [mm]', 'no convergence', 'study puma', 'cardan run', 'name: puma560']) assert.ok(body.includes(part), part);
  // The table is the terminal's.
  const rows = await page.$$eval('table.data tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  for (const row of rows.slice(0, 9)) {
    assert.ok(text.split('\n').some((line) => row.filter(Boolean).every((cell) => line.includes(cell))), row.join(' '));
  }
  await plotsDrawn(page);
  const titles = await page.$$eval('.report-plot h2', (all) => all.map((h) => h.textContent));
  for (const title of ['Error against the step', 'Error against time', 'Step', 'Energy error', 'Constraint violation']) {
    assert.ok(titles.includes(title), title);
    assert.ok((await inked(page, title)) > 50, `${title} is empty`);
  }
  // The animation moves: the hand at another time is elsewhere.
  const place = async (t) => {
    await page.evaluate((time) => cardan.seek(time), t);
    await settled(page);
    return page.evaluate(() => Array.from(cardan.app.stage.views[0].poses.position));
  };
  const [start, later] = [await place(0), await place(2)];
  assert.ok(start.some((x, i) => Math.abs(x - later[i]) > 0.05));
  assert.equal(await page.evaluate(() => cardan.app.shown.length), 2, 'two runs overlaid');
  assert.deepEqual(page.complaints, []);
  await page.close();

  for (const colorScheme of ['light', 'dark']) {
    const narrow = await open(`file://${file}`, {width: 360, height: 740, colorScheme});
    await plotsDrawn(narrow);
    await fits(narrow);
    // The table scrolls in its own box, by keyboard too.
    const box = narrow.locator('.scroll').first();
    assert.ok(await box.evaluate((element) => element.scrollWidth > element.clientWidth));
    await box.focus();
    await narrow.keyboard.press('ArrowRight');
    await narrow.waitForFunction(() => document.querySelector('.scroll').scrollLeft > 0);
    assert.deepEqual(narrow.complaints, []);
    await narrow.close();
  }
});

test('a comparison writes one page whose legend can be read and used', async () => {
  const out = join(folder, 'compared');
  execFileSync(program, ['compare', join(root, 'models/four_bar.yaml'), '--out', out, '--until', '0.5'], {stdio: 'ignore'}); // before its singular position
  const file = join(out, 'compare.html');
  inOwnPage(file);
  console.log(`compare.html: ${statSync(file).size} bytes`);
  assert.ok(statSync(file).size < 5e6);
  const page = await open(`file://${file}`);
  await plotsDrawn(page);
  const body = await page.textContent('body');
  for (const part of ['One line for each formulation', 'Every run', 'left out', 'cheapest within', 'To repeat it', 'name: four-bar']) assert.ok(body.includes(part), part);
  const plot = page.locator('.report-plot').first();
  assert.equal(await plot.locator('h2').textContent(), 'Precision against work');
  // One legend for the four plots of the same curves.
  const legend = page.locator('.report-legend.shared').first();
  const titles = await page.$$eval('.report-plots > *', (all) => all.map((e) => e.querySelector('h2')?.textContent ?? 'legend'));
  assert.deepEqual(titles.slice(0, 5), ['legend', 'Precision against work', 'Error against the step', 'Constraint violation against the step', 'Energy error against the step']);
  assert.equal(await plot.locator('.entry').count(), 0);
  const entries = legend.locator('.entry');
  const count = await entries.count();
  const rows = readFileSync(join(out, 'compare.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
  assert.equal(count, new Set(rows.filter((row) => row[3] === 'ok').map((row) => `${row[0]} ${row[1]}`)).size, 'a curve for each that ended well');
  assert.ok(count >= 25, `${count} curves`);
  // A name has one colour in all groups, a group one dash.
  const keys = await entries.evaluateAll((all) => all.map((e) => [e.closest('.legend-group').getAttribute('aria-label'), e.textContent, e.querySelector('path').getAttribute('stroke'), e.querySelector('path').getAttribute('stroke-dasharray')]));
  for (const [group, name, colour, dash] of keys) {
    for (const other of keys) {
      if (other[1] === name) assert.equal(other[2], colour);
      if (other[0] === group) assert.equal(other[3], dash);
    }
  }
  assert.ok(new Set(keys.map((key) => `${key[2]} ${key[3]}`)).size === count, 'no two curves look the same');

  // Pressing a group hides its curves, pressing it again brings them back.
  const group = legend.locator('button.group').first();
  const both = async () => [await inked(page, 'Precision against work'), await inked(page, 'Error against the step')];
  const press = async () => {
    await group.click();
    await settled(page);
    return both();
  };
  const before = await both();
  const without = await press();
  assert.ok(without[0] < before[0] && without[1] < before[1], `${without} of ${before}`);
  assert.deepEqual(await press(), before);
  const entry = entries.first();
  await entry.focus();
  await page.keyboard.press('Enter');
  assert.equal(await entry.getAttribute('aria-pressed'), 'false');

  // The curve under the pointer is named.
  const over = plot.locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  let named = '';
  for (let k = 1; k < 20 && !named; ++k) {
    await page.mouse.move(box.x + box.width * k / 20, box.y + box.height * (0.2 + 0.6 * (k % 3) / 2));
    named = await plot.locator('.readout').textContent();
  }
  assert.match(named, /(global|hybrid|topological|recursive|cartesian), .+: /);
  assert.deepEqual(page.complaints, []);
  await page.close();

  const narrow = await open(`file://${file}`, {width: 360, height: 740, colorScheme: 'dark'});
  await ready(narrow);
  await plotsDrawn(narrow);
  await fits(narrow);
  assert.deepEqual(narrow.complaints, []);
  await narrow.close();
});

/** A report of a run, its data as `change` leaves them. */
function reportOf(name, args, change = () => {}) {
  const file = join(folder, `${name}.html`);
  spawnSync(program, ['run', ...args, '--out', join(folder, name), '--report', file], {stdio: 'ignore'});
  inOwnPage(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(id="cardan-data">)([^<]*)/, (_, head, text) => {
    const data = JSON.parse(text);
    change(data);
    return head + JSON.stringify(data).replace(/</g, '\\u003c');
  }));
  return file;
}
/** Every y of a plot through a function of its value and row. */
function setValues(data, title, value) {
  for (const series of data.plots.find((plot) => plot.title === title).series) {
    const y = new Float64Array(Uint8Array.from(Buffer.from(series.y, 'base64')).buffer);
    series.y = Buffer.from(y.map(value).buffer).toString('base64');
  }
}
/** Texts on the canvases by plot, with their places in canvas pixels; from the next drawing on. */
async function watchTexts(page) {
  await page.evaluate(() => {
    const {fillText} = CanvasRenderingContext2D.prototype;
    window.texts = new Map();
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
      const title = this.canvas.closest?.('.report-plot')?.querySelector('h2').textContent;
      if (title) window.texts.set(title, [...(window.texts.get(title) ?? []), {text, x, y}]);
      return fillText.call(this, text, x, y, ...rest);
    };
  });
  await page.evaluate(() => document.dispatchEvent(new Event('cardan-theme')));
  await settled(page);
  // uPlot gives places on the page by transforms only for the names of axes; ticks at the side share one x.
  return page.evaluate(() => Object.fromEntries([...window.texts].map(([title, all]) => {
    const columns = Map.groupBy(all.filter(({text}) => /^[−\d]/.test(text)), ({x}) => x);
    return [title, [...columns.values()].sort((a, b) => b.length - a.length)[0]];
  })));
}

test('the plots of a run show constants, small values and violations over many decades', async () => {
  const file = reportOf('small', [join(root, 'models/four_bar.yaml'), '--until', '1'], (data) => {
    setValues(data, 'Energy error', (_, i) => -1e-6 * Math.sin(i / 20));
    setValues(data, 'Constraint violation', (_, i) => 10 ** (-9 - 24 * Math.abs(Math.sin(i / 30))));
  });
  for (const width of [1280, 390]) {
    const page = await open(`file://${file}`, {width});
    await plotsDrawn(page);
    for (const title of ['Step', 'Energy error', 'Constraint violation']) assert.ok((await inked(page, title)) > 50, `${title} is empty`);
    const labels = await watchTexts(page);
    for (const title of ['Step', 'Iterations', 'Energy error', 'Constraint violation']) {
      const texts = labels[title].map(({text}) => text);
      assert.ok(texts.length >= 3, `${title}: ${texts}`);
      assert.equal(new Set(texts).size, texts.length, `${title}: ${texts}`);
      const places = labels[title].map(({y}) => y).sort((a, b) => a - b);
      for (let i = 1; i < places.length; ++i) assert.ok(places[i] - places[i - 1] >= 15, `${title}: ${texts} at ${places}`);
    }
    assert.ok(labels['Step'].some(({text}) => /^0\.010?$/.test(text)), 'the step itself is labelled');
    assert.ok(labels['Energy error'].some(({text}) => text.endsWith('e−7') || text.endsWith('e−6')));
    const powers = labels['Constraint violation'].map(({text}) => Number(text.replace('−', '-'))).map(Math.log10);
    assert.ok(Math.max(...powers) - Math.min(...powers) <= 13, `${powers}`);
    await fits(page);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('a report shows first what was asked for, steps and iterations last; plots grow and are saved', async () => {
  const file = reportOf('asked', [documented('docs/model-file.md', 'cart'), '--until', '1', '--formulation', 'global']); // a tree, with constraints there
  const page = await open(`file://${file}`);
  await plotsDrawn(page);
  const titles = () => page.$$eval('.report-plot h2', (all) => all.map((h) => h.textContent));
  assert.deepEqual(await titles(), ['Ride height', 'Suspension: front_spring.force and others', 'Suspension: front_spring.length', 'Tyre loads', 'Energy error', 'Constraint violation', 'Step', 'Iterations']);
  assert.ok((await inked(page, 'Tyre loads')) > 50);
  assert.deepEqual(await page.evaluate(() => cardan.app.plots.columns.slice(0, 3)), ['deck.z', 'front_spring.force', 'rear_spring.force']);
  const plot = page.locator('.report-plot').first();
  const width = (await plot.locator('canvas').boundingBox()).width;
  await page.getByLabel('Large or small: Ride height').click();
  await page.waitForFunction((w) => document.querySelector('.report-plot canvas').clientWidth > 1.5 * w, width);
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByLabel('Save as PNG: Ride height').click()]);
  assert.equal(picture.suggestedFilename(), 'Ride_height.png');
  assert.ok(statSync(await picture.path()).size > 2000);
  const [table] = await Promise.all([page.waitForEvent('download'), page.getByLabel('Save as CSV: Ride height').click()]);
  const lines = readFileSync(await table.path(), 'utf8').trimEnd().split('\n');
  assert.equal(lines[0], '"t, s",deck.z: m');
  assert.equal(lines.length, 502);
  assert.deepEqual(page.complaints, []);
  await page.close();

  const other = await open(`file://${reportOf('other', [documented('docs/model-file.md', 'cart'), '--until', '0.1', '--plot', 'front_hub.v,deck.x', '--plot', '*_spring.length'])}`);
  await plotsDrawn(other);
  assert.deepEqual((await other.$$eval('.report-plot h2', (all) => all.map((h) => h.textContent))).slice(0, 4), ['front_hub.v', 'deck.x', 'front_spring.length and others', 'Energy error']);
  await other.close();
});

test('the summary of a run tells its events, and fits a telephone', async () => {
  const file = reportOf('events', [join(root, 'models/puma560.yaml')]);
  const page = await open(`file://${file}`, {width: 390, height: 800});
  const rows = await page.$$eval('.report > section > table.keys tr', (all) => all.map((row) => [...row.cells].map((cell) => ({text: cell.innerText, width: cell.clientWidth}))));
  const events = rows.find(([head]) => head.text === 'events')[1].text.split('\n');
  assert.equal(events.length, 6);
  assert.match(events[2], /^grip at 2 s: energy changed by \S+ J, then 3 degrees of freedom$/);
  for (const [head, value] of rows) assert.ok(value.width > 150, `${head.text} has ${value.width} px`);
  assert.ok(!(await page.textContent('body')).includes('[object'));
  await fits(page);
  await page.close();
});

test('a failed run says why once', async () => {
  const file = reportOf('failed', [join(root, 'models/double_four_bar.yaml'), '--formulation', 'topological', '--step', '1']);
  const page = await open(`file://${file}`);
  const text = await page.evaluate(() => document.body.innerText);
  const {reason} = JSON.parse(readFileSync(join(folder, 'failed', 'summary.json'), 'utf8'));
  assert.ok(reason.length > 20);
  assert.equal(text.toLowerCase().split(reason.toLowerCase()).length, 2, text);
  assert.ok(text.includes(reason[0].toUpperCase() + reason.slice(1)));
  assert.deepEqual(page.complaints, []);
  await page.close();
});
