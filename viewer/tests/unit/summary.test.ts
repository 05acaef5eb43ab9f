import assert from 'node:assert/strict';
import test from 'node:test';
import {sentence, summaryRows} from '../../src/summary';

const summary = {
  status: 'ok',
  reason: '',
  formulation: {asked: 'automatic', used: 'hybrid'},
  integrator: {asked: 'trapezoidal', used: 'trapezoidal'},
  step: 0.01,
  cpu_seconds: 0.5,
  energy: {initial: -38.5, final: 2, max_error: -4.43e-5, max_error_time: 0.49},
  error: {estimate: 7e-5, body: 'crank', time: 0.3, step: 0.02},
  constraint_violation: {position: 1e-9, velocity: 0},
  constraint_violation_worst: {position: {time: 0.97, constraint: 'pinB1 position y'}, velocity: {time: 0, constraint: ''}},
  redundant: [],
  events: [
    {name: 'grip', time: 2, energy: -0.25, constraints: 6, redundant_constraints: 0, degrees_of_freedom: 1},
    {name: 'let_go', time: 6, energy: 0, constraints: 0, redundant_constraints: 0, degrees_of_freedom: 6},
  ],
  allocations: null,
  warnings: ['one', 'two'],
  later_key: {inner_value: 3},
  later_list: [{a_b: 1, c: 'x'}],
};
const lines = (label: string, ...leftOut: string[]) => summaryRows(summary, leftOut).find((row) => row.label === label)?.lines;

test('events of a summary are told one by one', () => {
  assert.deepEqual(lines('events'), [
    'grip at 2 s: energy changed by −0.25 J, then 1 degree of freedom',
    'let_go at 6 s: energy changed by 0 J, then 6 degrees of freedom',
  ]);
});

test('a summary has words and units', () => {
  assert.deepEqual(lines('step asked for'), ['0.01 s']);
  assert.deepEqual(lines('processor time'), ['0.5 s']);
  assert.deepEqual(lines('energy at the start'), ['−38.5 J']);
  assert.deepEqual(lines('largest energy error'), ['−4.4300e−5 J at 0.49 s']);
  assert.deepEqual(lines('estimated error, in sizes of the mechanism or rad'), ['7.0000e−5']);
  assert.deepEqual(lines('step for an error of 1e-3'), ['0.02 s']);
  assert.deepEqual(lines('largest violation, position'), ['1.0000e−9 at 0.97 s (pinB1 position y)']);
  assert.deepEqual(lines('largest violation, velocity (relative)'), ['0']);
  assert.deepEqual(lines('formulation'), ['hybrid (asked for: automatic)']);
  assert.deepEqual(lines('integrator'), ['trapezoidal']);
  assert.deepEqual(lines('heap allocations'), ['unknown']);
  assert.deepEqual(lines('warnings'), ['one', 'two']);
});

test('a summary shows keys it does not know, and nothing empty, left out or unreadable', () => {
  assert.deepEqual(lines('later key, inner value'), ['3']);
  assert.deepEqual(lines('later list'), ['a b 1, c x']);
  assert.equal(lines('reason'), undefined);
  assert.equal(lines('redundant'), undefined);
  assert.equal(lines('status', 'status'), undefined);
  assert.ok(!JSON.stringify(summaryRows(summary)).includes('[object'));
});

test('a reason becomes a sentence', () => {
  assert.equal(sentence('in the step of 1 s: try less'), 'In the step of 1 s: try less.');
  assert.equal(sentence('Done.'), 'Done.');
  assert.equal(sentence(''), '');
});
