// How long a key takes in the cockpit of `cardan drive`: until its input is sent, until a frame that has felt it has come, and until
// that is on the screen. Loopback, real Chromium, the Iltis.
// usage: node bench/latency.mjs [presses] [most milliseconds until the frame] [options of the drive, such as --real-time]
import {join} from 'node:path';
import {drive, folder, open, root, stop} from '../tests/browser/fixture.mjs';

const presses = Number(process.argv[2] ?? 15);
const most = Number(process.argv[3] ?? 50);
const driven = await drive(join(root, 'models/iltis_driven.yaml'), '--out', join(folder, 'latency'), ...process.argv.slice(4));
// A small picture: the renderer here is the processor itself.
const page = await open(driven.address, {width: 480, height: 360});
await page.waitForTimeout(2000);
for (let i = 0; i < presses; ++i) {
  await page.keyboard.down('ArrowLeft');
  await page.waitForTimeout(60);
  await page.keyboard.up('ArrowLeft');
  await page.waitForTimeout(340 + 7 * (i % 5)); // at all phases of the frames
}
await page.waitForTimeout(500);
const {toSend, toFrame, toScreen, count, rate} = await page.evaluate(() => ({
  ...['toSend', 'toFrame', 'toScreen', 'count'].reduce((all, key) => ({...all, [key]: cardan.cockpit.latency[key]}), {}), rate: document.querySelector('.loop').innerText,
}));
console.log(`key to socket ${toSend.toFixed(1)} ms, to the first frame that has felt it ${toFrame.toFixed(1)} ms, to the screen ${toScreen.toFixed(1)} ms (medians of the last 15 of ${count})`);
console.log(rate.replace(/\n/g, '; ').replace(/\t/g, ' '));
await page.close();
driven.server.kill('SIGINT');
await driven.ended;
await stop();
process.exit(toFrame < most ? 0 : 1);
