// Pictures of results for the README and the documentation, taken of the viewer itself:
//   node scripts/pictures.mjs [FOLDER] [MODEL...]     default: docs/pictures, all models below
// The program is build/release/bin/cardan, or what CARDAN_PROGRAM names.
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {folder as scratch, open, program, root, run, settled, stop, view} from '../tests/browser/fixture.mjs';

// `eye`: where the camera stands, seen from what it looks at, in sizes of the picture's default distance; `shift`: what it
// looks at, moved by so many metres; `near`: the camera comes closer by that factor. Planar models are zoomed.
const pictures = [
  {model: 'double_four_bar', time: 1.68, zoom: 1.3, plot: ['crank.angle'], trail: 'coupler1'},
  {model: 'wiper', page: 'docs/first-mechanism.md', file: 'driven.yaml', time: 0.3, zoom: 1.1, plot: ['motor.effort'], trail: 'rocker'},
  {model: 'puma560', time: 1.4, eye: [0.2, -0.4, 0.12], shift: [0.15, -0.05, -0.2], plot: ['q2.q', 'q3.q', 'q5.q'], trail: 'link6'},
  {model: 'iltis', time: 4.32, follow: 'chassis', near: 0.82, plot: ['chassis.z']},
];

/** A result of a model that a page shows: the block behind `FILE.yaml`. */
function runOfPage(page, file) {
  const text = readFileSync(join(root, page), 'utf8');
  const block = text.slice(text.indexOf(`\`${file}\`:`)).match(/```yaml\n([^]*?)```/)[1];
  writeFileSync(join(scratch, file), block);
  const out = join(scratch, 'of-page');
  execFileSync(program, ['run', join(scratch, file), '--out', out], {stdio: 'ignore'});
  return out;
}

const [folder = join(root, 'docs/pictures'), ...wanted] = process.argv.slice(2);
mkdirSync(folder, {recursive: true});
try {
  for (const picture of pictures.filter(({model}) => wanted.length === 0 || wanted.includes(model))) {
    const result = picture.page ? runOfPage(picture.page, picture.file) : run(picture.model);
    const page = await open(await view(result), {width: 960, height: 640});
    await page.addStyleTag({content: '.side { display: none !important; }'}); // the mechanism, not the lists
    await page.evaluate(arrange, picture);
    await page.waitForTimeout(500); // the stage takes up the room of the panel
    await page.evaluate(look, picture);
    await settled(page);
    await page.screenshot({path: join(folder, `${picture.model}.png`)});
    if (page.complaints.length > 0) throw new Error(`${picture.model}: ${page.complaints.join('; ')}`);
    await page.close();
  }
} finally {
  await stop();
}

// These two run in the page.
function arrange({time, follow, plot, trail}) {
  const {app} = window.cardan;
  for (const column of [...app.plots.columns]) app.plots.toggle(column);
  for (const column of plot) app.plots.toggle(column);
  if (trail) {
    app.select({kind: 'body', name: trail});
    app.setTrail(true);
    app.select(null);
  }
  if (follow) window.cardan.follow(follow);
  window.cardan.seek(time);
}
function look({eye, near, zoom, shift}) {
  const {stage} = window.cardan.app;
  const {camera, controls} = stage;
  const distance = camera.position.distanceTo(controls.target);
  if (shift) {
    controls.target.x += shift[0], controls.target.y += shift[1], controls.target.z += shift[2];
    camera.position.x += shift[0], camera.position.y += shift[1], camera.position.z += shift[2];
  }
  if (eye) camera.position.set(controls.target.x + eye[0] * distance, controls.target.y + eye[1] * distance, controls.target.z + eye[2] * distance);
  if (near) camera.position.lerp(controls.target, 1 - near);
  if (zoom) camera.zoom = zoom, camera.updateProjectionMatrix();
  controls.update();
  stage.moved = true;
}
