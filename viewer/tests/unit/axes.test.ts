import assert from 'node:assert/strict';
import test from 'node:test';
import {drawnUnit, evenTicks, flatRange, linearLabels, logLabels, logRange, logTicks, rising} from '../../src/axes';

test('a constant has a range around it, rounding or not', () => {
  assert.deepEqual(flatRange(0.01, 0.01), [0, 0.02]);
  assert.deepEqual(flatRange(0.009999999999999343, 0.01), [0, 0.02]);
  assert.deepEqual(flatRange(-3, -3), [-6, 0]);
  assert.deepEqual(flatRange(0, 0), [-1, 1]);
  assert.equal(flatRange(0.0099, 0.01), null);
  assert.equal(flatRange(-1e-20, 1e-20), null, 'small is not constant');
});

test('a logarithmic axis ends 12 decades below its largest value', () => {
  const [low, high] = logRange(1e-40, 1e-8);
  assert.ok(high > 1e-8 && high < 1e-7);
  assert.ok(low > 1e-21 && low < 1e-20, String(low));
  const [near, far] = logRange(0.01, 0.01);
  assert.ok(far / near >= 5 * (1 - 1e-12) && near < 0.01 && far > 0.01);
});

test('ticks of a logarithmic axis have room', () => {
  for (const [min, max] of [[1e-24, 1e-9], [1e-300, 1], [1e-5, 1e-3], [2e-7, 9e-7], [0.004, 0.03], [1, 1e12]] as const) {
    for (const [length, space] of [[240, 18], [300, 44], [1100, 44], [90, 18]] as const) {
      const ticks = logTicks(min, max, length, space);
      assert.ok(ticks.length >= 2, `${min} to ${max} on ${length}: ${ticks}`);
      const at = ticks.map((v) => (Math.log10(v / min) / Math.log10(max / min)) * length);
      for (let i = 1; i < at.length; ++i) assert.ok(at[i]! - at[i - 1]! >= space * 0.999, `${min} to ${max} on ${length}: ${ticks}`);
      const labels = logLabels(ticks);
      assert.equal(new Set(labels).size, labels.length, labels.join(' '));
    }
  }
  assert.deepEqual(logLabels(logTicks(1e-12, 1, 100, 18)), ['1e−12', '1e−9', '1e−6', '0.001', '1']);
});

test('labels of a linear axis tell its ticks apart', () => {
  assert.deepEqual(linearLabels([-2e-6, -1e-6, 0, 1e-6]), ['−2e−6', '−1e−6', '0', '1e−6']);
  assert.deepEqual(linearLabels([-1e-6, -5e-7, 0, 5e-7]), ['−1.0e−6', '−0.5e−6', '0', '0.5e−6']);
  assert.deepEqual(linearLabels([0, 2.5e-4, 5e-4]), ['0', '2.5e−4', '5.0e−4']);
  assert.deepEqual(linearLabels([0, 0.005, 0.01, 0.015, 0.02]), ['0', '0.005', '0.010', '0.015', '0.020']);
  assert.deepEqual(linearLabels([0, 0.25, 0.5]), ['0', '0.25', '0.50']);
  assert.deepEqual(linearLabels([1000, 2000]), ['1000', '2000']);
  assert.deepEqual(linearLabels([0, 5e5, 1e6]), ['0', '0.5e6', '1.0e6']);
  assert.deepEqual(linearLabels([1.00001, 1.00002]), ['1.00001', '1.00002']);
  assert.deepEqual(linearLabels([-0.1, 1e-17, 0.1]), ['−0.1', '0', '0.1']);
  assert.deepEqual(linearLabels([0]), ['0']);
  assert.deepEqual(linearLabels([]), []);
});

test('ticks of a linear axis at any magnitude', () => {
  assert.deepEqual(evenTicks(0, 0.02, 9), [0, 0.005, 0.01, 0.015, 0.02]);
  assert.deepEqual(linearLabels(evenTicks(0, 3.9e36, 8)), ['0', '0.5e36', '1.0e36', '1.5e36', '2.0e36', '2.5e36', '3.0e36', '3.5e36']);
  assert.deepEqual(linearLabels(evenTicks(-2.1e-24, 1e-24, 4)), ['−2e−24', '−1e−24', '0', '1e−24']);
  for (const [min, max] of [[0, 7], [-0.0082, 0.0003], [1e8, 1e8 + 1], [-1e-300, 1e-300]] as const) {
    const ticks = evenTicks(min, max, 8);
    assert.ok(ticks.length >= 3 && ticks.length <= 9, `${min} to ${max}: ${ticks}`);
    assert.equal(new Set(linearLabels(ticks)).size, ticks.length, linearLabels(ticks).join(' '));
  }
  assert.deepEqual(evenTicks(1, 1, 5), []);
  assert.deepEqual([drawnUnit([0, null, -3e36]), drawnUnit([2e-20]), drawnUnit([0.1, 5]), drawnUnit([0])], [1e36, 1e-20, 1, 1]);
  assert.deepEqual(linearLabels(evenTicks(0, 4.2, 4).map((v) => v * drawnUnit([4e-20]))), ['0', '2e−20', '4e−20']);
});

test('no x stands twice, on either side of zero', () => {
  for (const sorted of [[-3, -3, -3, -2], [0, 0, 0], [1, 1, 2, 2, 2], [-1e-9, -1e-9, 1e9, 1e9]]) {
    const xs = rising(sorted);
    xs.forEach((x, i) => {
      assert.ok(Math.abs(x - sorted[i]!) <= 1e-11 * Math.abs(sorted[i]!) + 1e-299);
      assert.ok(i === 0 || x > xs[i - 1]!, `${xs}`);
    });
  }
});
