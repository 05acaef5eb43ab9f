// What a frame costs in script: update of all matrices and submission of the draw calls, without waiting for the renderer.
// usage: node bench/frame.mjs [bodies] [most milliseconds]
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {FakeDrive} from '../tests/browser/fake_drive.mjs';
import {folder, open, stop, view} from '../tests/browser/fixture.mjs';

const bodies = Number(process.argv[2] ?? 100);
const most = Number(process.argv[3] ?? 4);
const out = join(folder, 'chain');
mkdirSync(out);
const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const number = (i) => `b${i}`;
const point = (name, at) => ({name, kind: 'joint', at});
writeFileSync(join(out, 'scene.json'), JSON.stringify({
  cardan_scene: 1, name: 'chain', planar: false, gravity: [0, 0, -9.81], size: bodies,
  ground: {points: [point('j0', [0, 0, 0])]},
  bodies: Array.from({length: bodies}, (_, i) => ({
    name: number(i), mass: 1, center: [i + 0.5, 0, 0], axes, inertia: [[0.01, 0, 0], [0, 1 / 12, 0], [0, 0, 1 / 12]],
    points: [point(`j${i}`, [i, 0, 0]), point(`j${i + 1}`, [i + 1, 0, 0])],
  })),
  joints: Array.from({length: bodies}, (_, i) => ({
    name: `j${i}`, type: i % 2 ? 'spherical' : 'revolute', bodies: [i ? number(i - 1) : 'ground', number(i)],
    points: [[i, 0, 0], [i, 0, 0]], axes: [[0, 1, 0], [0, 1, 0]], frame: axes,
  })),
  springs: Array.from({length: bodies / 4}, (_, i) => ({name: `s${i}`, bodies: [number(4 * i), number(4 * i + 2)], points: [[4 * i, 0, 0], [4 * i + 2, 0, 0]]})),
}));
const names = ['t'];
for (let i = 0; i < bodies; ++i) for (const s of ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz']) names.push(`${number(i)}.${s}`);
for (let i = 0; i < bodies; ++i) for (const s of ['fx', 'fy', 'fz']) names.push(`j${i}.${s}`);
const lines = [names.join(',')];
for (let k = 0; k < 200; ++k) {
  const t = k / 100;
  const row = [t];
  for (let i = 0; i < bodies; ++i) row.push(i + 0.5, Math.sin(t + i), Math.cos(t + i), Math.cos(t), Math.sin(t), 0, 0);
  for (let i = 0; i < bodies; ++i) row.push(i, t, 1);
  lines.push(row.join(','));
}
writeFileSync(join(out, 'trajectory.csv'), lines.join('\n') + '\n');
writeFileSync(join(out, 'summary.json'), '{"status": "ok"}');

// A small picture: the renderer here is the processor itself, and what it takes is not what is measured.
const page = await open(await view(out), {width: 480, height: 360});
const costs = await page.evaluate(async () => {
  const {app} = cardan;
  app.setReactions(true);
  const costs = [];
  for (let i = 0; i < 70; ++i) {
    await new Promise((done) => requestAnimationFrame(done));
    const begin = performance.now();
    app.stage.frame(0.01 + (i / 70) * 1.9);
    costs.push(performance.now() - begin);
  }
  return costs.slice(10).sort((a, b) => a - b);
});
await page.close();

// The same for the cockpit: frames of a drive arrive, and everything that a frame does on the page counts.
const drive = new FakeDrive({bodies});
const cockpit = await open(await drive.start(), {width: 480, height: 360});
drive.inputs.throttle = 1;
const driven = await cockpit.evaluate(async () => {
  const costs = [];
  for (let i = 0; i < 40; ++i) {
    await new Promise((done) => requestAnimationFrame(done));
    costs.push(cardan.frameCost);
  }
  return costs.slice(6).sort((a, b) => a - b);
});
await cockpit.close();

const part = (sorted, share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(2);
const told = (what, sorted) => console.log(`${bodies} bodies, ${what}: median ${part(sorted, 0.5)} ms, 90 % below ${part(sorted, 0.9)} ms, longest ${part(sorted, 1)} ms of script a frame`);
told('reactions shown', costs);
told('driven', driven);
await stop();
await drive.stop();
rmSync(folder, {recursive: true, force: true});
process.exit(Math.max(Number(part(costs, 0.5)), Number(part(driven, 0.5))) < most ? 0 : 1);
