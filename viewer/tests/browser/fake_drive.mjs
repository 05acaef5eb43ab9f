// A drive without a program: speaks as docs/drive.md says, moves a toy vehicle. For tests of the page alone, and of what a real drive
// does not do when asked: fail, end, go away.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {fileURLToPath} from 'node:url';

const page = process.env.CARDAN_PAGE ?? fileURLToPath(new URL('../../dist/index.html', import.meta.url));
const token = 'feed5eed';
const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** `count` bodies in a row behind the first, which steers; wheels on none. */
export function toyScene(count = 3) {
  return {
    cardan_scene: 1, name: 'toy', planar: false, gravity: [0, 0, -9.81], size: 3, ground: {points: []},
    bodies: Array.from({length: count}, (_, i) => ({
      name: i ? `wagon${i}` : 'chassis', mass: i ? 1 : 1000, center: [-2 * i, 0, 0.5], axes, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
      points: [{name: 'seat', kind: 'marker', at: [0, 0, 1.2]}].slice(i), geometry: [{shape: 'box', at: [-2 * i, 0, 0.5], axes, edges: [1.6, 1, 0.6], color: '#4e79a7'}],
    })),
    joints: [
      {name: 'ride', type: 'free', bodies: ['ground', 'chassis'], points: [[0, 0, 0], [0, 0, 0]], axes: [[0, 0, 1], [0, 0, 1]], frame: axes},
      ...Array.from({length: count - 1}, (_, i) => ({name: `j${i}`, type: i % 2 ? 'spherical' : 'revolute', mark: i % 2 ? 'ball' : 'pin', bodies: [i ? `wagon${i}` : 'chassis', `wagon${i + 1}`],
        points: [[-2 * i - 1, 0, 0.5], [-2 * i - 1, 0, 0.5]], axes: [[0, 1, 0], [0, 1, 0]], frame: axes})),
    ],
    springs: Array.from({length: Math.floor(count / 4)}, (_, i) => ({name: `s${i}`, bodies: [i ? `wagon${4 * i}` : 'chassis', `wagon${4 * i + 2}`], points: [[-8 * i, 0, 0.5], [-8 * i - 4, 0, 0.5]]})),
    units: {speed: 'm/s', 'chassis.x': 'm', 'chassis.vx': 'm/s'},
  };
}
export const toyInputs = [
  {name: 'throttle', start: 0, min: 0, max: 1, unit: ''},
  {name: 'brake', start: 0, min: 0, max: 1, unit: ''},
  {name: 'steer', start: 0, min: -1, max: 1, unit: ''},
  {name: 'boom_lever', start: 0, min: -1, max: 1, unit: ''},
  {name: 'swing_lever', start: 0, min: -1, max: 1, unit: ''},
  {name: 'height', start: 0.5, min: 0, max: 2, unit: 'm'},
  {name: 'cruise', start: 5, min: 0, max: null, unit: 'm/s'},
];

export class FakeDrive {
  /** Messages of the pages, parsed. */
  received = [];
  mode = 0;
  scale = 1;
  step = 0;
  stamp = 0;
  hz = 60;
  places = new Map();
  sockets = new Set();
  columns;

  constructor({bodies = 3, outputs = ['speed', 'chassis.vx']} = {}) {
    this.scene = toyScene(bodies);
    this.columns = ['t', ...this.scene.bodies.flatMap(({name}) => ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz', 'vx', 'vy', 'vz'].map((suffix) => `${name}.${suffix}`)), 'speed'];
    this.outputs = outputs;
    this.inputs = Object.fromEntries(toyInputs.map(({name, start}) => [name, start]));
    this.state = {t: 0, x: 0, y: 0, yaw: 0, v: 0};
  }

  async start(port = 0) {
    this.server = createServer((request, response) => this.answer(request, response));
    this.server.on('upgrade', (request, socket) => this.shakeHands(request, socket));
    await new Promise((done) => this.server.listen(port, '127.0.0.1', done));
    this.port = this.server.address().port;
    this.timer = setInterval(() => this.advance(), 1000 / this.hz);
    this.told = setInterval(() => this.say({statistics: {steps: this.step, overruns: 3, given_up: 0, step: {p50: 4e-5, p99: 9e-5, p99_9: 1.2e-4, max: 5e-4}, wall: {p50: 5e-5, p99: 1e-4, p99_9: 2e-4, max: 1e-3}, wake: {p50: 6e-5, p99: 1e-4, p99_9: 2e-4, max: 1e-3}}}), 500);
    return `http://127.0.0.1:${this.port}/${token}/`;
  }
  async stop() {
    clearInterval(this.timer);
    clearInterval(this.told);
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  answer(request, response) {
    const path = request.url.replace(/\?.*/, '');
    const json = (value) => response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(value));
    if (path === `/${token}/`) response.writeHead(200, {'Content-Type': 'text/html'}).end(readFileSync(page));
    else if (path === `/${token}/api/drive`) {
      json({model: 'toy', step: 0.001, formulation: 'hybrid', integrator: 'trapezoidal', places: 9, columns: this.columns, outputs: this.outputs,
        inputs: toyInputs.map((input) => ({...input, value: this.inputs[input.name]}))});
    } else if (path === `/${token}/api/drive/scene`) json(this.scene);
    else response.writeHead(404).end();
  }
  shakeHands(request, socket) {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => this.sockets.delete(socket));
    let held = Buffer.alloc(0);
    socket.on('data', (data) => {
      held = Buffer.concat([held, data]);
      for (let message; (message = unmask(held)); held = held.subarray(message.length)) {
        if (message.opcode === 8) socket.end();
        else if (message.opcode === 1) this.hear(JSON.parse(message.text));
      }
    });
    this.send();
  }
  hear(message) {
    this.received.push(message);
    const {inputs, stamp, command, number} = message;
    if (inputs) Object.assign(this.inputs, inputs);
    if (stamp) this.stamp = stamp;
    if (command === 'pause' && this.mode === 0) this.mode = 1;
    if (command === 'go_on' && this.mode === 1) this.mode = 0;
    if (command === 'single_step' && this.mode === 1) this.integrate(0.001);
    if (command === 'scale') this.scale = number;
    if (command === 'save') this.places.set(number, {...this.state});
    if (command === 'reset') this.goBack({t: 0, x: 0, y: 0, yaw: 0, v: 0});
    if (command === 'go_back' && this.places.has(number)) this.goBack({...this.places.get(number)});
    if (command) this.send();
  }
  goBack(state) {
    this.state = state;
    if (this.mode !== 0) this.mode = 1;
  }
  fail(reason) {
    this.mode = 2;
    this.say({message: reason});
    this.send();
  }
  end() {
    this.mode = 3;
    this.send();
  }

  integrate(dt) {
    const {state, inputs} = this;
    state.t += dt;
    state.v = Math.max(0, state.v + dt * (6 * inputs.throttle - 10 * inputs.brake - 0.2 * state.v));
    state.yaw += dt * state.v * 0.3 * inputs.steer;
    state.x += dt * state.v * Math.cos(state.yaw);
    state.y += dt * state.v * Math.sin(state.yaw);
    ++this.step;
  }
  advance() {
    if (this.mode === 0) for (let i = 0; i < 10; ++i) this.integrate(this.scale / this.hz / 10);
    if (this.mode < 2) this.send();
  }
  row() {
    const {t, x, y, yaw, v} = this.state;
    const [c, s] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
    return [t, ...this.scene.bodies.flatMap((_, i) => [x - 2 * i * Math.cos(yaw), y - 2 * i * Math.sin(yaw), 0.5, c, 0, 0, s, v * Math.cos(yaw), v * Math.sin(yaw), 0]), v];
  }
  send() {
    const row = this.row();
    const data = Buffer.alloc(48 + 8 * row.length);
    data.writeUInt32LE(0x46445243, 0);
    data.writeUInt32LE(this.mode, 4);
    data.writeBigInt64LE(BigInt(this.step), 8);
    data.writeBigUInt64LE(BigInt(this.stamp), 16);
    data.writeDoubleLE(this.state.t, 24);
    data.writeDoubleLE(this.scale, 32);
    data.writeUInt32LE(row.length, 40);
    row.forEach((value, i) => data.writeDoubleLE(value, 48 + 8 * i));
    this.write(2, data);
  }
  say(message) {
    this.write(1, Buffer.from(JSON.stringify(message)));
  }
  write(opcode, data) {
    const head = data.length < 126 ? Buffer.from([0x80 | opcode, data.length]) : data.length < 65536 ? Buffer.from([0x80 | opcode, 126, data.length >> 8, data.length & 255]) : null;
    if (!head) throw new Error('a toy has short frames');
    for (const socket of this.sockets) if (socket.writableLength < 1e6) socket.write(Buffer.concat([head, data]));
  }
}

/** The first message of a page in the bytes that have come; null when it is not whole. */
function unmask(data) {
  if (data.length < 6) return null;
  const short = data[1] & 127;
  const begin = short === 126 ? 4 : 2;
  if (short === 127 || data.length < begin + 4) return null;
  const length = short === 126 ? data.readUInt16BE(2) : short;
  if (data.length < begin + 4 + length) return null;
  const mask = data.subarray(begin, begin + 4);
  const text = Buffer.from(data.subarray(begin + 4, begin + 4 + length).map((byte, i) => byte ^ mask[i % 4])).toString();
  return {opcode: data[0] & 15, text, length: begin + 4 + length};
}
