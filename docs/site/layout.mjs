// The frame of every page: navigation, contents of the page, search, theme.
import {sections} from './pages.mjs';

export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);
}

export function layout(page, {html, headings}) {
  const up = '../'.repeat(page.file.split('/').length - 1);
  const link = (other) => `<a href="${up}${other.file}"${other === page ? ' aria-current="page"' : ''}>${escapeHtml(other.title)}</a>`;
  const navigation = sections.map((section) => `<h2>${section.title}</h2><ul>${section.pages.map((p) => `<li>${link(p)}</li>`).join('')}</ul>`).join('\n');
  const inner = headings.filter((heading) => heading.level === 2 || heading.level === 3);
  const contents = inner.length < 2 ? '' : `<aside class="contents" aria-label="On this page"><h2>On this page</h2><ul>${inner
    .map((heading) => `<li class="level${heading.level}"><a href="#${heading.id}">${escapeHtml(heading.title)}</a></li>`).join('')}</ul></aside>`;
  const title = page.file === 'index.html' ? 'Cardan' : `${page.title} · Cardan`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${up}assets/katex/katex.min.css">
<link rel="stylesheet" href="${up}assets/style.css">
<script>try { const t = localStorage.getItem('cardan-docs-theme'); if (t) document.documentElement.dataset.theme = t; } catch {}</script>
</head>
<body data-up="${up}">
<header>
<button type="button" class="menu" aria-label="Pages" aria-expanded="false" aria-controls="pages">☰</button>
<a class="home" href="${up}index.html">Cardan</a>
<div class="search"><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ol hidden></ol></div>
<button type="button" class="theme" aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">${navigation}</nav>
<main>${html}</main>
${contents}
</div>
<script src="${up}assets/search-index.js" defer></script>
<script src="${up}assets/site.js" defer></script>
</body>
</html>
`;
}
