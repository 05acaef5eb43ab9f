// The tests of the parsers and the arithmetic: bundled by esbuild, run by node's own runner.
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const folder = fileURLToPath(new URL('../tests/unit/', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'cardan-viewer-'));
await build({
  entryPoints: readdirSync(folder).filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name)),
  bundle: true, platform: 'node', format: 'esm', outdir: out, outExtension: {'.js': '.test.mjs'}, logLevel: 'warning',
});
const result = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...readdirSync(out).map((name) => join(out, name))], {stdio: 'inherit'});
rmSync(out, {recursive: true});
process.exit(result.status ?? 1);
