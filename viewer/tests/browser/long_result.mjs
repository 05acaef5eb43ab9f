// A result of many samples: b1, b2, ... circle in the plane; one sample of b3.x has a peak of 1000.
import {createWriteStream, mkdirSync, writeFileSync} from 'node:fs';
import {once} from 'node:events';
import {join} from 'node:path';

export async function writeLongResult(folder, rows, columns) {
  mkdirSync(folder, {recursive: true});
  const bodies = Math.floor((columns - 1) / 6);
  const names = ['t'];
  for (let b = 1; b <= bodies; ++b) for (const suffix of ['x', 'y', 'angle', 'vx', 'vy', 'w']) names.push(`b${b}.${suffix}`);
  while (names.length < columns) names.push(`sensor${names.length}`);
  const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  writeFileSync(join(folder, 'scene.json'), JSON.stringify({
    cardan_scene: 1, name: 'long', planar: true, gravity: [0, -9.81, 0], size: 4, ground: {points: []},
    bodies: Array.from({length: bodies}, (_, b) => ({name: `b${b + 1}`, mass: 1, center: [1 + b, 0, 0], axes, points: []})), joints: [],
  }));
  const out = createWriteStream(join(folder, 'trajectory.csv'), {highWaterMark: 1 << 22});
  out.write(names.join(',') + '\n');
  const peak = Math.floor(rows * 0.7321);
  let text = '';
  for (let i = 0; i < rows; ++i) {
    const t = i / 1000;
    text += t;
    for (let c = 1; c < names.length; ++c) text += ',' + (i === peak && names[c] === 'b3.x' ? 1000 : Math.sin(t * (1 + c / 50) + c));
    text += '\n';
    if (text.length > 1 << 21) {
      if (!out.write(text)) await once(out, 'drain');
      text = '';
    }
  }
  out.end(text);
  await once(out, 'finish');
  writeFileSync(join(folder, 'summary.json'), JSON.stringify({status: 'ok', model: 'long', formulation: {used: 'none'}}));
}

if (process.argv[1]?.endsWith('long_result.mjs')) await writeLongResult(process.argv[2], Number(process.argv[3] ?? 1e6), Number(process.argv[4] ?? 100));
