// The documentation as a site that opens from disk: node build.mjs [FOLDER]; default build/docs. Links are checked; a broken
// one, a formula that TeX does not know or a page without its place in pages.mjs is an error. The program
// (build/release/bin/cardan, or what CARDAN_PROGRAM names) writes its own help and the reports that are shown.
import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, posix, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {escapeHtml, layout} from './layout.mjs';
import {makeMarkdown, render} from './markdown.mjs';
import {commands, pages, reports} from './pages.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const out = resolve(process.argv[2] ?? join(root, 'build/docs'));
const program = process.env.CARDAN_PROGRAM ?? join(root, 'build/release/bin/cardan');
if (!existsSync(program)) fail([`${program} is not there: build it (make), or set CARDAN_PROGRAM`]);

function fail(problems) {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
function write(file, text) {
  mkdirSync(dirname(join(out, file)), {recursive: true});
  writeFileSync(join(out, file), text);
}

const problems = [];
const md = makeMarkdown();
const bySource = new Map(pages.filter((page) => page.source).map((page) => [page.source, page]));
const links = []; // {from: page, to: file on the site, anchor}, to be checked when all headings are known

/** A link of a source file as a link of the site. Other files of the repository that are linked come along under files/. */
function resolver(page) {
  const up = '../'.repeat(page.file.split('/').length - 1);
  return (href, isImage) => {
    if (/^(https?:|mailto:)/.test(href)) return href;
    const [path, anchor = ''] = href.split('#');
    if (path === '') {
      links.push({from: page, to: page.file, anchor});
      return href;
    }
    const target = posix.normalize(posix.join(posix.dirname(page.source ?? 'docs/x.md'), path));
    const other = bySource.get(target);
    if (other) {
      links.push({from: page, to: other.file, anchor});
      return up + other.file + (anchor ? `#${anchor}` : '');
    }
    const file = join(root, target);
    if (!existsSync(file) || !statSync(file).isFile()) {
      problems.push(`${page.source ?? page.file}: the link to '${href}' leads nowhere`);
      return href;
    }
    const copy = isImage ? `pictures/${basename(target)}` : `files/${target}`;
    mkdirSync(dirname(join(out, copy)), {recursive: true});
    cpSync(file, join(out, copy));
    return up + copy;
  };
}

/** The subcommands' own help. */
function commandPage() {
  const help = (...words) => execFileSync(program, [...words, '--help'], {encoding: 'utf8'}).trimEnd();
  const block = (text) => `\`\`\`text\n${text}\n\`\`\`\n`;
  const parts = ['# Command line\n', 'What the program itself says. Exit codes are explained with [what a run writes](output.md#exit-codes).\n', block(help())];
  for (const command of commands) parts.push(`## cardan ${command}\n`, block(help(command)));
  return parts.join('\n');
}

/** Runs the models and writes their reports; the page shows them in frames. */
function galleryPage() {
  const parts = ['# Live results\n', 'Each frame is the page that `cardan run MODEL --report FILE` writes: the animation, plots, the summary, the command and',
    'the model, in one file that opens from disk. Drag to turn, space to play, `?` for all keys.\n'];
  mkdirSync(join(out, 'reports'), {recursive: true});
  reports.forEach(({model, title, text, options = []}, i) => {
    const name = basename(model, '.yaml');
    execFileSync(program, ['run', model, '--out', join(out, 'reports', name), '--report', join(out, 'reports', `${name}.html`), ...options], {cwd: root, stdio: ['ignore', 'ignore', 'inherit']});
    rmSync(join(out, 'reports', name), {recursive: true});
    parts.push(`## ${title}\n`, `${text} Model: [${model}](../${model}).\n`, `FRAME${i}\n`);
  });
  return parts.join('\n');
}
function addFrames(html) {
  return html.replace(/<p>FRAME(\d)<\/p>/g, (_, i) => {
    const {model, title} = reports[i];
    const file = `reports/${basename(model, '.yaml')}.html`;
    return `<iframe src="${file}" title="${escapeHtml(title)}" loading="lazy"></iframe>\n<p><a href="${file}">Open it alone</a></p>`;
  });
}

rmSync(out, {recursive: true, force: true});
mkdirSync(join(out, 'assets/katex/fonts'), {recursive: true});
const katex = join(here, 'node_modules/katex/dist');
cpSync(join(katex, 'katex.min.css'), join(out, 'assets/katex/katex.min.css'));
for (const font of readdirSync(join(katex, 'fonts'))) if (font.endsWith('.woff2')) cpSync(join(katex, 'fonts', font), join(out, 'assets/katex/fonts', font));
for (const file of ['style.css', 'site.js']) cpSync(join(here, file), join(out, 'assets', file));

const generators = {commands: commandPage, gallery: galleryPage};
const index = [];
const anchors = new Map(); // file -> set of ids
for (const page of pages) {
  try {
    const text = page.source ? readFileSync(join(root, page.source), 'utf8') : generators[page.generated]();
    const rendered = render(md, text, resolver(page));
    rendered.html = addFrames(rendered.html);
    anchors.set(page.file, new Set(rendered.headings.map((heading) => heading.id)));
    for (const section of rendered.sections) {
      if (section.title || section.text.trim()) index.push({page: page.title, file: page.file, title: section.title, slug: section.slug, text: section.text.replace(/\s+/g, ' ').trim().slice(0, 1500)});
    }
    write(page.file, layout(page, rendered));
  } catch (error) {
    problems.push(`${page.source ?? page.file}: ${error.message}`);
  }
}
write('assets/search-index.js', `window.cardanIndex = ${JSON.stringify(index)};\n`);

for (const {from, to, anchor} of links) {
  if (anchor && !anchors.get(to)?.has(anchor)) problems.push(`${from.source ?? from.file}: '${to}' has no section '#${anchor}'`);
}
const documented = readdirSync(join(root, 'docs'), {recursive: true}).filter((name) => name.endsWith('.md') && !name.startsWith('site/'));
for (const name of documented) if (!bySource.has(`docs/${name}`)) problems.push(`docs/${name} is not in docs/site/pages.mjs`);
if (problems.length > 0) fail(problems);
console.log(`${pages.length} pages: ${relative(process.cwd(), join(out, 'index.html'))}`);
