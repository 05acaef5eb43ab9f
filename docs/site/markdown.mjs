// Markdown to HTML: tables and code as on GitHub, TeX between dollar signs, highlighted code, headings with anchors.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cmake from 'highlight.js/lib/languages/cmake';
import cpp from 'highlight.js/lib/languages/cpp';
import json from 'highlight.js/lib/languages/json';
import yaml from 'highlight.js/lib/languages/yaml';
import katex from 'katex';
import MarkdownIt from 'markdown-it';

for (const [name, language] of Object.entries({bash, cmake, cpp, json, yaml})) hljs.registerLanguage(name, language);

/** As GitHub makes them, so that links work in both places. */
export function slug(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');
}

function formula(tex, display) {
  return katex.renderToString(tex, {displayMode: display, throwOnError: true, strict: 'error', output: 'htmlAndMathml'});
}

/** $...$: opens before and closes behind something that is no space, and no digit follows. */
function inlineMath(state, silent) {
  const {src, pos} = state;
  if (src[pos] !== '$' || src[pos + 1] === '$' || /[\s$]/.test(src[pos + 1] ?? ' ')) return false;
  let end = pos;
  do {
    end = src.indexOf('$', end + 1);
    if (end < 0) return false;
  } while (src[end - 1] === '\\');
  if (/\s/.test(src[end - 1]) || /\d/.test(src[end + 1] ?? '')) return false;
  if (!silent) state.push('math', '', 0).content = src.slice(pos + 1, end);
  state.pos = end + 1;
  return true;
}

/** $$ on a line of its own, the formula, $$ on a line of its own. */
function blockMath(state, start, last, silent) {
  const line = (i) => state.src.slice(state.bMarks[i] + state.tShift[i], state.eMarks[i]);
  if (line(start).trim() !== '$$') return false;
  let end = start + 1;
  while (end < last && line(end).trim() !== '$$') ++end;
  if (end >= last) throw new Error(`a formula that begins in line ${start + 1} does not end`);
  if (silent) return true;
  const token = state.push('math_block', '', 0);
  token.content = state.getLines(start + 1, end, state.blkIndent, false);
  state.line = end + 1;
  return true;
}

export function makeMarkdown() {
  const md = new MarkdownIt({
    html: false,
    linkify: false,
    highlight: (code, language) => (hljs.getLanguage(language) ? hljs.highlight(code, {language}).value : ''),
  });
  md.inline.ruler.before('escape', 'math', inlineMath);
  md.block.ruler.before('fence', 'math_block', blockMath, {alt: ['paragraph', 'list']});
  md.renderer.rules.math = (tokens, i) => formula(tokens[i].content, false);
  md.renderer.rules.math_block = (tokens, i) => `<div class="formula">${formula(tokens[i].content, true)}</div>\n`;
  md.renderer.rules.table_open = () => '<div class="table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  return md;
}

/** `resolve(href, isImage)` turns a link of the source into one of the site. Returns html, headings and sections of text. */
export function render(md, text, resolve) {
  const tokens = md.parse(text, {});
  const headings = [];
  const used = new Map();
  const sections = [{title: '', slug: '', text: ''}];
  tokens.forEach((token, i) => {
    if (token.type === 'heading_open') {
      const inline = tokens[i + 1];
      const title = plain(inline.children);
      const base = slug(title);
      const count = used.get(base) ?? 0;
      used.set(base, count + 1);
      const id = count === 0 ? base : `${base}-${count}`;
      token.attrSet('id', id);
      headings.push({level: Number(token.tag.slice(1)), title, id});
      sections.push({title, slug: id, text: ''});
      const anchor = new token.constructor('html_inline', '', 0);
      anchor.content = ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
      inline.children.push(anchor);
    } else if (token.type === 'inline') {
      for (const child of token.children) {
        if (child.type === 'link_open') child.attrSet('href', resolve(child.attrGet('href'), false));
        if (child.type === 'image') {
          child.attrSet('src', resolve(child.attrGet('src'), true));
          child.attrSet('loading', 'lazy');
        }
      }
      if (tokens[i - 1]?.type !== 'heading_open') sections.at(-1).text += plain(token.children) + ' ';
    } else if (token.type === 'fence' || token.type === 'code_block') {
      sections.at(-1).text += token.content.replace(/\s+/g, ' ') + ' ';
    }
  });
  return {html: md.renderer.render(tokens, md.options, {}), headings, sections};
}

function plain(children) {
  return children.map((child) => (child.type === 'softbreak' ? ' ' : ['text', 'code_inline', 'math'].includes(child.type) ? child.content : '')).join('');
}
