// Reports of studies and comparisons, opened from disk as a user would: tables, plots, animation, legend, narrow screens.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {folder, open, program, ready, root, settled, stop} from './fixture.mjs';

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
  execFileSync(program, ['compare', join(root, 'models/four_bar.yaml'), '--out', out, '--until', '1'], {stdio: 'ignore'});
  const file = join(out, 'compare.html');
  console.log(`compare.html: ${statSync(file).size} bytes`);
  assert.ok(statSync(file).size < 5e6);
  const page = await open(`file://${file}`);
  await plotsDrawn(page);
  const body = await page.textContent('body');
  for (const part of ['One line for each formulation', 'Every run', 'left out', 'cheapest within', 'To repeat it', 'name: four-bar']) assert.ok(body.includes(part), part);
  const plot = page.locator('.report-plot').first();
  assert.equal(await plot.locator('h2').textContent(), 'Precision against work');
  const entries = plot.locator('.entry');
  const count = await entries.count();
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
  const group = plot.locator('button.group').first();
  const press = async () => {
    await group.click();
    await settled(page);
    return inked(page, 'Precision against work');
  };
  const before = await inked(page, 'Precision against work');
  const without = await press();
  assert.ok(without < before, `${without} of ${before}`);
  assert.equal(await press(), before);
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
