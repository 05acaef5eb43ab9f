import assert from 'node:assert/strict';
import test from 'node:test';
import {makeMarkdown, render, slug} from '../markdown.mjs';

const md = makeMarkdown();
const same = (href) => href;

test('headings get the anchors that GitHub gives them', () => {
  assert.equal(slug('Spring and damper between two points'), 'spring-and-damper-between-two-points');
  assert.equal(slug('trajectory.csv'), 'trajectorycsv');
  assert.deepEqual(render(md, '## A\n\n## A\n', same).headings.map((h) => h.id), ['a', 'a-1']);
});
test('formulas are typeset, prices are not', () => {
  assert.match(render(md, 'with $x_1$ here', same).html, /katex/);
  assert.match(render(md, '$$\nM a = Q\n$$\n', same).html, /katex-display/);
  assert.doesNotMatch(render(md, 'costs $5 and $6', same).html, /katex/);
});
test('a formula that TeX does not know is an error', () => {
  assert.throws(() => render(md, '$\\nonsense{x}$', same));
});
test('links and pictures go through the resolver', () => {
  const {html} = render(md, '[a](x.md#y) ![p](p.png)', (href, image) => (image ? 'pictures/' : 'pages/') + href);
  assert.match(html, /href="pages\/x.md#y"/);
  assert.match(html, /src="pictures\/p.png"/);
});
test('code is highlighted and tables may scroll', () => {
  assert.match(render(md, '```yaml\na: 1\n```\n', same).html, /hljs-attr/);
  assert.match(render(md, '| a |\n| --- |\n| b |\n', same).html, /<div class="table"><table>/);
});
