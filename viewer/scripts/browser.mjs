// The tests in a real browser, one file after the other, with the reporter that says most on one screen.
import {readdirSync} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = fileURLToPath(new URL('../tests/browser/', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.test.mjs')).map((name) => join(folder, name));
let failed = 0;
for (const file of files) {
  failed |= spawnSync(process.execPath, ['--test', '--test-reporter=spec', file], {stdio: 'inherit'}).status ?? 1;
}
process.exit(failed);
