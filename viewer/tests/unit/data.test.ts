import assert from 'node:assert/strict';
import test from 'node:test';
import {parseCsv, parseHeader, parseNumber} from '../../src/csv';
import {digits} from '../../src/dom';
import {quantityOf} from '../../src/quantity';
import {sceneFromColumns} from '../../src/scene';
import {Table, valueAt} from '../../src/table';
import {runFromTexts, stepIn} from '../../src/trajectory';

test('names in the header may be quoted', () => {
  assert.deepEqual(parseHeader('t,"a,b ""c"".x",d'), ['t', 'a,b "c".x', 'd']);
  assert.deepEqual(parseHeader(''), ['']);
});

test('numbers as the program writes them', () => {
  assert.equal(parseNumber('-2.5e-3'), -2.5e-3);
  assert.ok(Number.isNaN(parseNumber('nan')));
  assert.equal(parseNumber('-inf'), -Infinity);
  assert.equal(parseNumber(''), undefined);
  assert.equal(parseNumber('1.2.3'), undefined);
});

test('a good file', () => {
  const {columns, table, problems} = parseCsv('t,a.x\r\n0,1\r\n0.5,2\r\n');
  assert.deepEqual(columns, ['t', 'a.x']);
  assert.deepEqual([table.length, table.start, table.end], [2, 0, 0.5]);
  assert.equal(table.columns[1]![1], 2);
  assert.deepEqual(problems, []);
});

test('broken files say what is wrong and give what they have', () => {
  const cut = parseCsv('t,a\n0,1\n1,2\n2,');
  assert.equal(cut.table.length, 2);
  assert.match(cut.problems[0]!, /line 4.*cut off/);
  const bad = parseCsv('t,a\n0,1\n1\n2,x\n3,4\n');
  assert.equal(bad.table.length, 4);
  assert.ok(Number.isNaN(bad.table.columns[1]![1]));
  assert.match(bad.problems[0]!, /2 lines.*first is line 3/);
  assert.match(parseCsv('').problems[0]!, /empty/);
  assert.match(parseCsv('x,y\n').problems[0]!, /'x', not 't'/);
});

test('a time is found between its samples', () => {
  const {table} = parseCsv('t,a\n0,0\n1,10\n3,30\n');
  for (const [time, value] of [[-1, 0], [0, 0], [0.25, 2.5], [1, 10], [2, 20], [3, 30], [9, 30]]) {
    assert.equal(valueAt(table.locate(time!), 1), value);
  }
  assert.equal(stepIn(table, 1, 1), 3);
  assert.equal(stepIn(table, 1, -1), 0);
  assert.equal(stepIn(table, 1.5, -1), 1, 'back to the sample just passed');
  assert.equal(stepIn(table, 1.5, 1), 3);
  assert.equal(stepIn(table, 3, 5), 3);
});

test('long curves keep their extremes', () => {
  const table = new Table(2);
  for (let i = 0; i < 100000; ++i) table.append([i * 1e-3, i === 54321 ? 7 : i === 11111 ? -7 : Math.sin(i * 1e-3)]);
  table.append([100, NaN]);
  const curve = table.curve([1], 0, 100, 500);
  assert.equal(curve.t.length, 1000);
  assert.equal(Math.max(...curve.values[0]!.filter((v) => !Number.isNaN(v))), 7);
  assert.equal(Math.min(...curve.values[0]!.filter((v) => !Number.isNaN(v))), -7);
  for (let i = 1; i < curve.t.length; ++i) assert.ok(curve.t[i]! > curve.t[i - 1]!);
  const close = table.curve([1], 54.32, 54.322, 500);
  assert.ok(close.values[0]!.includes(7), 'a short window has every sample');
});

test('results without scene.json still have bodies', () => {
  const run = runFromTexts('a', 't,b.c.x,b.c.y,b.c.angle\n0,1,2,3\n', null, null);
  assert.deepEqual(run.scene.bodies.map((body) => body.name), ['b.c']);
  assert.ok(run.scene.planar);
  assert.ok(run.problems.some((text) => text.includes('scene.json is missing')));
  assert.ok(run.problems.some((text) => text.includes('summary.json is missing')));
});

test('results with nothing to show are refused with the reason', () => {
  assert.throws(() => runFromTexts('a', 't,a\n', '{broken', null), /no valid JSON.*nothing to show/);
  assert.throws(() => runFromTexts('a', null, null, null), /trajectory\.csv is missing.*nothing to show/);
});

test('broken elements of a scene are named and left out', () => {
  const scene = JSON.stringify({cardan_scene: 1, name: 's', planar: false, gravity: [0, 0, 'x'], size: 2, bodies: [{name: 'a'}, 5], joints: 'none'});
  const run = runFromTexts('a', null, scene, '[1');
  assert.equal(run.scene.bodies.length, 0);
  for (const part of ['bodies[0]', 'bodies[1]', "'joints' is no list", 'no gravity', 'summary.json is no valid JSON']) {
    assert.ok(run.problems.some((text) => text.includes(part)), part);
  }
});

test('units of columns', () => {
  const scene = sceneFromColumns(['t'], 1);
  scene.joints.push({name: 'rail', type: 'prismatic', mark: 'slider', bodies: ['ground', 'a'], points: [[0, 0, 0], [0, 0, 0]], axes: [[0, 0, 1], [0, 0, 1]], frame: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], present: true, switches: []});
  assert.equal(quantityOf('a.b.vx', scene).unit, 'm/s');
  assert.equal(quantityOf('a.b.vx', scene).element, 'a.b');
  assert.equal(quantityOf('rail.v', scene).unit, 'm/s');
  assert.equal(quantityOf('rail.fx', scene).unit, 'N');
  assert.equal(quantityOf('sensor', scene).unit, '');
});

test('numbers for people', () => {
  assert.equal(digits(0.1 + 0.2), '0.3');
  assert.equal(digits(-1234567), '−1.2346e+6');
  assert.equal(digits(NaN), 'no number');
});

test('every column has a unit, angles in degrees on request', () => {
  const scene = sceneFromColumns(['t'], 1);
  scene.efforts.push({name: 'motor', joint: 'pin', angular: true, body: 'a', point: [0, 0, 0], axis: [0, 0, 1], axisBody: 'ground'});
  assert.equal(quantityOf('spring.length', scene).unit, 'm');
  assert.equal(quantityOf('spring.force', scene).unit, 'N');
  assert.equal(quantityOf('tyre.load', scene).unit, 'N');
  assert.equal(quantityOf('motor.effort', scene).unit, 'N m');
  scene.units = {'rail.effort': 'N', 'pin.v': 'rad/s'};
  assert.equal(quantityOf('rail.effort', scene).unit, 'N');
  const speed = quantityOf('pin.v', scene, true);
  assert.equal(speed.unit, '°/s');
  assert.ok(Math.abs(speed.factor * Math.PI - 180) < 1e-12);
});
