// Pictures of results for the documentation: node scripts/pictures.mjs [FOLDER]; default docs/pictures.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {open, root, run, settled, stop, view} from '../tests/browser/fixture.mjs';

const folder = process.argv[2] ?? join(root, 'docs/pictures');
const pictures = [
  {model: 'double_four_bar', time: 1.6},
  {model: 'puma560', time: 4},
  {model: 'iltis', time: 4.32, follow: 'chassis'},
];
mkdirSync(folder, {recursive: true});
try {
  for (const {model, time, follow} of pictures) {
    const page = await open(await view(run(model)), {width: 1200, height: 720});
    await page.evaluate(([t, body]) => {
      if (body) window.cardan.follow(body);
      window.cardan.seek(t);
    }, [time, follow]);
    await settled(page);
    await page.screenshot({path: join(folder, `${model}.png`)});
    await page.close();
  }
} finally {
  await stop();
}
