import assert from 'node:assert/strict';
import test from 'node:test';
import {outsideDeadZone} from '../../src/cockpit/gamepad';
import {Inputs, kindOf, type Input} from '../../src/cockpit/inputs';
import {KeyMap} from '../../src/cockpit/key_map';
import {unitOfSize} from '../../src/cockpit/large_units';
import {Latency} from '../../src/cockpit/latency';
import {LiveTrajectory} from '../../src/cockpit/live_trajectory';
import {readFrame, readInfo, readSaid, type Frame} from '../../src/cockpit/protocol';
import {Strip, stripSeconds} from '../../src/cockpit/strips';
import {findSeat, travels} from '../../src/cockpit/cameras';
import {readScene} from '../../src/scene';
import {valueAt} from '../../src/table';

function bytes({magic = 0x46445243, mode = 0, step = 7, stamp = 9, time = 1.5, scale = 1, count = 2, values = [1.5, -4]} = {}): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(48 + 8 * values.length));
  view.setUint32(0, magic, true);
  view.setUint32(4, mode, true);
  view.setBigInt64(8, BigInt(step), true);
  view.setBigUint64(16, BigInt(stamp), true);
  view.setFloat64(24, time, true);
  view.setFloat64(32, scale, true);
  view.setUint32(40, count, true);
  values.forEach((value, i) => view.setFloat64(48 + 8 * i, value, true));
  return view.buffer;
}
const frame = (time: number, x: number, rest: Partial<Frame> = {}): Frame => ({mode: 'runs', step: 0, stamp: 0, time, scale: 1, values: Float64Array.of(time, x), ...rest});
const input = (name: string, min: number | null, max: number | null, start = 0) => ({name, min, max, start, unit: '', value: start});

test('a frame is read as it was written', () => {
  const read = readFrame(bytes(), 2)!;
  assert.deepEqual({...read, values: [...read.values]}, {mode: 'runs', step: 7, stamp: 9, time: 1.5, scale: 1, values: [1.5, -4]});
  assert.equal(readFrame(bytes({mode: 2}), 2)!.mode, 'failed');
  assert.equal(readFrame(bytes({stamp: 2 ** 40 + 1}), 2)!.stamp, 2 ** 40 + 1);
});

test('what is no frame is none', () => {
  for (const wrong of [bytes({magic: 1}), bytes({mode: 4}), bytes({count: 3}), bytes({values: [1]}), new ArrayBuffer(0), new ArrayBuffer(47)]) assert.equal(readFrame(wrong, 2), null);
});

test('the description is read with what is missing, and refused when it is none', () => {
  const info = readInfo({model: 'm', columns: ['t', 'a'], inputs: [{name: 'u', start: 2, min: 0, max: null}, {start: 3}]});
  assert.deepEqual(info.inputs, [{name: 'u', start: 2, value: 2, min: 0, max: null, unit: ''}]);
  assert.equal(info.places, 9);
  assert.throws(() => readInfo({model: 'm'}), /no drive/);
  assert.deepEqual(readSaid('no JSON'), {});
  assert.equal(readSaid('{"message": "why"}').message, 'why');
});

test('the picture goes on evenly, a short time behind, whatever the frames do', () => {
  const live = new LiveTrajectory(['t', 'x']);
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const arrivals = Array.from({length: 300}, (_, i) => ({at: i / 60 + 0.006 * random(), time: i / 60}));
  let next = 0;
  let last = NaN;
  let worst = 0;
  let behind = 0;
  for (let k = 0; k < 290; ++k) {
    const now = k / 60;
    for (; next < arrivals.length && arrivals[next]!.at <= now; ++next) live.add(frame(arrivals[next]!.time, 10 * arrivals[next]!.time), arrivals[next]!.at);
    const time = live.tick(now);
    if (k > 120) {
      worst = Math.max(worst, Math.abs(time - last - 1 / 60));
      behind = Math.max(behind, now - time);
      assert.ok(time <= live.newest!.time + live.delay && time >= live.newest!.time - 0.05);
    }
    last = time;
    if (live.count > 1) assert.ok(Math.abs(valueAt(live.locate(time), 1) - 10 * time) < 1e-9, 'between the two frames around it, or as they go on');
  }
  assert.ok(worst < 0.006, `the clock of the picture jumps by ${worst} s`);
  assert.ok(behind < 0.02, `${behind} s behind`);
});

test('going back, pausing and slow motion', () => {
  const live = new LiveTrajectory(['t', 'x']);
  for (let i = 0; i < 100; ++i) {
    live.add(frame(i / 60, i), i / 60);
    live.tick(i / 60);
  }
  live.add(frame(0.25, 3), 100 / 60);
  assert.equal(live.tick(100.1 / 60), 0.25, 'back at once');
  live.add(frame(0.25, 3, {mode: 'paused'}), 102 / 60);
  assert.equal(live.tick(110 / 60), 0.25);
  assert.equal(valueAt(live.locate(0.25), 1), 3);
  for (let i = 0; i < 120; ++i) {
    live.add(frame(0.25 + (0.1 * i) / 60, i, {scale: 0.1}), 3 + i / 60);
    live.tick(3 + i / 60);
  }
  const before = live.tick(3 + 120 / 60);
  live.add(frame(0.25 + (0.1 * 120) / 60, 120, {scale: 0.1}), 3 + 120 / 60);
  assert.ok(Math.abs(live.tick(3 + 121 / 60) - before - 0.1 / 60) < 1e-3);
});

test('the stamp of the picture is that of the frame it is going to', () => {
  const live = new LiveTrajectory(['t', 'x']);
  live.add(frame(0, 0, {stamp: 1}), 0);
  live.add(frame(0.1, 1, {stamp: 2}), 0.1);
  assert.equal(live.stampAt(0), 1);
  assert.equal(live.stampAt(0.05), 2);
  assert.equal(live.stampAt(0.1), 2);
});

test('inputs are wheels, pedals, levers, sliders or fields', () => {
  const kinds = [input('steer', -1, 1), input('truck/brake', 0, 1), input('throttle', 0, 1), input('boom_lever', -1, 1), input('lift', 0, 3), input('cruise', 0, null), input('steer', null, null), input('stuck', 1, 1)].map(kindOf);
  assert.deepEqual(kinds, ['wheel', 'pedal', 'pedal', 'lever', 'slider', 'field', 'field', 'field']);
});

test('a held key moves an input to its limit, a released one springs back to rest', () => {
  const [steer] = new Inputs([input('steer', -1, 1)]).all as [Input];
  steer.pressKeys(1);
  assert.ok(steer.value > 0 && steer.value < 0.1, 'felt at once');
  for (let i = 0; i < 100; ++i) steer.tick(0.01);
  assert.equal(steer.value, 1);
  steer.pressKeys(0);
  for (let i = 0; i < 100; ++i) steer.tick(0.01);
  assert.equal(steer.value, 0);
  steer.springsBack = false;
  steer.set(-7);
  steer.tick(10);
  assert.equal(steer.value, -1);
  steer.set(NaN);
  assert.equal(steer.value, -1);
});

test('a lever without zero between its limits rests where it starts', () => {
  assert.equal(new Inputs([input('hoist_lever', 2, 5, 3)]).all[0]!.rest, 3);
});

test('a pointer goes before keys, keys before a gamepad', () => {
  const [lever] = new Inputs([input('lever', -1, 1)]).all as [Input];
  lever.pad = -0.5;
  lever.tick(0.01);
  assert.equal(lever.value, -0.5);
  lever.pressKeys(1);
  lever.tick(1);
  assert.equal(lever.value, 1);
  lever.held = true;
  lever.set(0.25);
  lever.tick(1);
  assert.equal(lever.value, 0.25);
  lever.letGo();
  assert.equal(lever.value, 0);
});

test('a gamepad moves what does not spring back at a rate', () => {
  const [lift] = new Inputs([input('lift', 0, 4, 1)]).all as [Input];
  lift.pad = 0.5;
  lift.tick(0.4);
  assert.ok(Math.abs(lift.value - 1.2) < 1e-12);
});

test('only what has changed is sent, and all of it after a loss', () => {
  const inputs = new Inputs([input('a', 0, 1), input('b', 0, 1)]);
  assert.equal(inputs.changes().size, 0);
  inputs.find('b')!.set(0.5);
  assert.deepEqual([...inputs.changes()], [['b', 0.5]]);
  assert.equal(inputs.changes().size, 0);
  inputs.forget();
  assert.deepEqual([...inputs.changes()], [['a', 0], ['b', 0.5]]);
});

test('keys: arrows for the vehicle, pairs for the rest, none twice', () => {
  const {all} = new Inputs([input('cruise', 0, null), input('steer', -1, 1), input('throttle', 0, 1), input('brake', 0, 1)]);
  const keys = new KeyMap(all);
  assert.deepEqual(all.map((one) => keys.pairs.get(one)), [
    {plus: 'w', minus: 's'}, {plus: 'arrowleft', minus: 'arrowright'}, {plus: 'arrowup', minus: null}, {plus: 'arrowdown', minus: null},
  ]);
  assert.deepEqual({...keys.at('ArrowRight'), input: null}, {input: null, sign: -1});
  const many = new Inputs(Array.from({length: 40}, (_, i) => input(`i${i}`, 0, 1))).all;
  const pairs = [...new KeyMap(many).pairs.values()].flatMap(({plus, minus}) => [plus, minus]);
  assert.equal(new Set(pairs).size, pairs.length);
  for (const taken of ['r', 'c', ' ', '.', '1', '+', '-', '?']) assert.ok(!pairs.includes(taken));
});

test('an excavator: boom, stick and bucket up and down, the swing left and right', () => {
  const {all} = new Inputs(['boom_lever', 'stick_lever', 'bucket_lever', 'swing_lever'].map((name) => input(name, -1, 1)));
  const keys = new KeyMap(all);
  assert.deepEqual(all.map((one) => keys.pairs.get(one)!.plus), ['arrowup', 'w', 'i', 'arrowleft']);
});

test('the dead zone', () => {
  assert.equal(outsideDeadZone(0.1, 0.12), null);
  assert.equal(outsideDeadZone(-1, 0.12), -1);
  assert.ok(Math.abs(outsideDeadZone(0.56, 0.12)! - 0.5) < 1e-12);
});

test('a strip keeps the newest samples in the memory it has', () => {
  const strip = new Strip('a', 0, '');
  const {t} = strip;
  for (let i = 0; i < 100000; ++i) strip.add(i / 60, i);
  assert.equal(strip.t, t);
  assert.equal(strip.length, t.length);
  assert.equal(strip.newest, 99999 / 60);
  const oldest = strip.t[strip.at(0)]!;
  assert.ok(strip.newest - oldest >= 0.9 * stripSeconds, 'enough for the whole strip');
  for (let i = 1; i < strip.length; ++i) assert.ok(strip.t[strip.at(i)]! > strip.t[strip.at(i - 1)]!);
  const [low, high] = strip.limits();
  assert.ok(low < strip.v[strip.at(0)]! && high > 99999);
  strip.add(1, 5);
  assert.equal(strip.length, 1, 'what came after the time gone back to did not happen');
});

test('latency is from the key to the first frame with its stamp', () => {
  const latency = new Latency();
  latency.sent(1, 100, 103);
  latency.arrived(0, 110);
  assert.ok(Number.isNaN(latency.toFrame));
  latency.arrived(1, 118);
  latency.drawn(0, 125);
  latency.drawn(1, 130);
  latency.drawn(1, 150);
  assert.deepEqual([latency.toSend, latency.toFrame, latency.toScreen, latency.count], [3, 18, 30, 1]);
  latency.sent(2, 200, 201);
  latency.arrived(2, 9000);
  assert.equal(latency.count, 1, 'a pause is no latency');
});

test('the seat is at its marker, else on the heaviest body that nothing holds', () => {
  const body = (name: string, mass: number, points: object[] = []) => ({name, mass, center: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], points});
  const joint = (type: string, bodies: string[]) => ({name: `${type}_${bodies[1]}`, type, bodies, points: [[0, 0, 0], [0, 0, 0]], axes: [[0, 0, 1], [0, 0, 1]]});
  const scene = (bodies: object[], joints: object[]) => readScene({cardan_scene: 1, name: 'm', gravity: [0, 0, -9.81], size: 1, bodies, joints}, []);
  const car = scene([body('wheel', 20), body('chassis', 900)], [joint('free', ['ground', 'chassis']), joint('revolute', ['chassis', 'wheel'])]);
  assert.deepEqual(findSeat(car), {body: 'chassis', at: null});
  assert.ok(travels(car));
  const arm = scene([body('base', 20), body('link', 5)], [joint('revolute', ['ground', 'base']), joint('revolute', ['base', 'link'])]);
  assert.equal(findSeat(arm), null);
  assert.ok(!travels(arm));
  const digger = scene([body('house', 9, [{name: 'seat', kind: 'marker', at: [1, 2, 3]}])], [joint('revolute', ['ground', 'house'])]);
  assert.deepEqual(findSeat(digger), {body: 'house', at: [1, 2, 3]});
});

test('large numbers have a prefix before units that take one', () => {
  assert.deepEqual(unitOfSize('Pa', 3.4e7), {unit: 'MPa', over: 1e6});
  assert.deepEqual(unitOfSize('N m', 2e4), {unit: 'kN m', over: 1e3});
  assert.deepEqual(unitOfSize('N', 9999), {unit: 'N', over: 1});
  assert.deepEqual(unitOfSize('kg', 1e8), {unit: 'kg', over: 1}, 'has one');
  assert.deepEqual(unitOfSize('', 1e8), {unit: '', over: 1});
});
