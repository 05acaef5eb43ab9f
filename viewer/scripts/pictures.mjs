// Pictures of results for the README and the documentation, taken of the viewer itself:
//   node scripts/pictures.mjs [FOLDER] [MODEL...]     default: docs/pictures, all models below
// The program is build/release/bin/cardan, or what CARDAN_PROGRAM names.
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {documented, drive, folder as scratch, open, program, root, run, runFile, settled, stop, view} from '../tests/browser/fixture.mjs';

process.chdir(root); // options name files from there

// The point that the camera looks at, and where it stands seen from there, in metres and inertial axes, whatever the viewer would
// choose. Planar models: the height of what is seen.
const pictures = [
  {model: 'double_four_bar', time: 1.68, at: [1, 0.03, 0], height: 3, plot: ['crank.angle'], trail: 'coupler1'},
  {model: 'wiper', page: 'docs/first-mechanism.md', file: 'driven.yaml', time: 0.3, at: [0.17, 0.2, 0], height: 0.68, plot: ['motor.effort'], trail: 'rocker'},
  {model: 'puma560', time: 1.4, at: [0.25, -0.1, -0.18], from: [0.8, -1.45, 0.42], plot: ['q2.q', 'q3.q', 'q5.q'], trail: 'link6'},
  {model: 'loader', page: 'docs/viewer.md', time: 1.3, at: [0.95, 0, 1.0], from: [1.4, -4.3, 1.2], plot: ['jack.effort'], arrows: true, picked: {kind: 'load', name: 'jack'}},
  {model: 'modes', page: 'docs/model-file.md', of: 'cart', modes: true},
  {model: 'excavator', options: ['--input', 'models/inputs/excavator_dig.csv', '--interpolation', 'linear'], time: 2.6, at: [2.6, 0, 1.9], from: [1.5, -10, 3], plot: ['lift.pa', 'draw.pa', 'curl.pa', 'pump.p'], arrows: 'loads'},
  {model: 'forklift', options: ['--every', '10'], time: 4.6, at: [-8, -4.6, 0.9], from: [5.2, 4.6, 1.6], plot: ['load.z', 'front_wheel_right.z'], arrows: 'loads', motions: ['velocity']},
  {model: 'iltis', time: 4.32, at: [21.7, 0, 1.7], from: [2.6, -6.6, 2.1], plot: ['chassis.z']},
];

/** The Iltis on its way down the first hill, a hand at the wheel. */
async function takeCockpit(path) {
  const {address} = await drive(join(root, 'models/iltis_driven.yaml'), '--out', join(scratch, 'cockpit'), '--overrun', 'slow_down');
  const page = await open(address, {width: 1180, height: 760});
  await page.keyboard.down('ArrowUp');
  await page.waitForFunction(() => cardan.value('chassis.x') > 22);
  await page.keyboard.down('ArrowLeft');
  await page.waitForFunction(() => cardan.value('chassis.qz') > 0.03);
  await page.keyboard.press(' ');
  await page.waitForFunction(() => cardan.cockpit.trajectory.newest.mode === 'paused');
  await page.waitForTimeout(1000); // the camera comes to rest
  await settled(page);
  await page.screenshot({path});
  if (page.complaints.length > 0) throw new Error(`cockpit: ${page.complaints.join('; ')}`);
  await page.close();
}

/** A result of a model that a page shows, by the block behind `FILE.yaml` or by its name. */
function resultOf({model, page, file, of = model, modes, options = []}) {
  if (!page) return run(model, model, ...options);
  const source = file ? blockBehind(page, file) : documented(page, of);
  if (!modes) return runFile(source, `${model}-result`);
  const out = join(scratch, `${model}-result`);
  execFileSync(program, ['modes', source, '--set', 'speed=0', '--set', 'drag=0', '--out', out], {stdio: 'ignore'});
  return out;
}
function blockBehind(page, file) {
  const text = readFileSync(join(root, page), 'utf8');
  const block = text.slice(text.indexOf(`\`${file}\`:`)).match(/```yaml\n([^]*?)```/)[1];
  writeFileSync(join(scratch, file), block);
  return join(scratch, file);
}

const [folder = join(root, 'docs/pictures'), ...wanted] = process.argv.slice(2);
mkdirSync(folder, {recursive: true});
try {
  for (const picture of pictures.filter(({model}) => wanted.length === 0 || wanted.includes(model))) {
    const page = await open(await view(resultOf(picture)), {width: picture.modes ? 1100 : 960, height: 640});
    if (picture.modes) await page.evaluate(showMode);
    else {
      await page.addStyleTag({content: '.side { display: none !important; }'}); // the mechanism, not the lists
      await page.evaluate(arrange, picture);
    }
    await page.waitForTimeout(500); // the stage takes up the room of the panel
    if (picture.at) await page.evaluate(look, picture);
    await settled(page);
    await page.screenshot({path: join(folder, `${picture.model}.png`)});
    const complaints = page.complaints.filter((text) => !(picture.modes && /404/.test(text)));
    if (complaints.length > 0) throw new Error(`${picture.model}: ${complaints.join('; ')}`);
    await page.close();
  }
  if (wanted.length === 0 || wanted.includes('cockpit')) await takeCockpit(join(folder, 'cockpit.png'));
} finally {
  await stop();
}

// These run in the page.
function arrange({time, plot, trail, arrows, motions = [], picked}) {
  const {app} = window.cardan;
  for (const column of [...app.plots.columns]) app.plots.toggle(column);
  for (const column of plot) app.plots.toggle(column);
  if (trail) {
    app.select({kind: 'body', name: trail});
    app.setTrail(true);
    app.select(null);
  }
  if (arrows) {
    app.setLoads(true);
    app.setReactions(arrows !== 'loads');
  }
  for (const motion of motions) app.setMotion(motion, true);
  if (picked) app.select(picked);
  app.follow(null); // a vehicle is followed unasked
  window.cardan.seek(time);
}
/** The first mode that swings, at its largest. */
function showMode() {
  const {app} = window.cardan;
  const {modes} = app.shown[0].modes;
  app.showMode(modes.findIndex((mode) => !mode.rigid && mode.frequency > 0));
  app.player.playing = false;
  window.cardan.seek(app.player.end / 4);
}
function look({at, from, height}) {
  const {stage} = window.cardan.app;
  const {camera, controls} = stage;
  const [x, y, z] = from ?? camera.position.clone().sub(controls.target).toArray();
  controls.target.set(...at);
  camera.position.set(at[0] + x, at[1] + y, at[2] + z);
  if (height) camera.zoom = (camera.top - camera.bottom) / height;
  camera.updateProjectionMatrix();
  controls.update();
  stage.moved = true;
}
