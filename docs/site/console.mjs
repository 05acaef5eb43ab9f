// Runs the commands of a page and writes what they print below them: node console.mjs PAGE.md. In ```console blocks every line
// that begins with "$ " is a command; ```yaml blocks become files of the name that the text before them ends with. The tests
// (tests/apps/first_mechanism_test.cpp) read pages in the same way.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const program = resolve(process.env.CARDAN_PROGRAM ?? join(root, 'build/release/bin/cardan'));
const page = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'cardan-console-'));
symlinkSync(program, join(folder, 'cardan'));
const result = [];
let kind = null; // of the block that the line is in
let file = '';
let yaml = [];
for (const line of readFileSync(page, 'utf8').split('\n')) {
  if (kind === null && line.startsWith('```')) {
    kind = line.slice(3).split(' ')[0];
    yaml = [];
  } else if (line === '```') {
    if (kind === 'yaml' && file) writeFileSync(join(folder, file), yaml.join('\n') + '\n');
    kind = null;
  } else if (kind === 'yaml') {
    yaml.push(line);
  } else if (kind === null) {
    file = [...line.matchAll(/`(\w+\.yaml)`/g)].at(-1)?.[1] ?? (line.trim() ? '' : file);
  }
  if (kind === 'console' && !line.startsWith('```') && !line.startsWith('$ ')) continue; // what it printed before
  result.push(line);
  if (kind === 'console' && line.startsWith('$ ')) {
    const run = spawnSync('bash', ['-c', `PATH="${folder}:$PATH"; ${line.slice(2)} 2>&1`], {cwd: folder, encoding: 'utf8'});
    result.push(...run.stdout.trimEnd().split('\n'));
  }
}
rmSync(folder, {recursive: true});
writeFileSync(page, result.join('\n'));
