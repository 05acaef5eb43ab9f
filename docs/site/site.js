// Search, theme and the menu of small screens. Works from disk: the index is a script, nothing is fetched.
(() => {
  const up = document.body.dataset.up;
  const input = document.querySelector('.search input');
  const list = document.querySelector('.search ol');
  const index = (window.cardanIndex ?? []).map((entry) => ({...entry, low: `${entry.page} ${entry.title} ${entry.text}`.toLowerCase()}));

  function score(entry, words) {
    let sum = 0;
    for (const word of words) {
      if (!entry.low.includes(word)) return 0;
      const title = entry.title.toLowerCase();
      sum += title === word ? 60 : title.includes(word) ? 25 : entry.page.toLowerCase().includes(word) ? 8 : 1;
      sum += Math.min(5, entry.low.split(word).length - 1) * 0.2;
    }
    return sum;
  }
  function excerpt(entry, word) {
    const at = entry.text.toLowerCase().indexOf(word);
    return at < 0 ? entry.text.slice(0, 110) : (at > 40 ? '… ' : '') + entry.text.slice(Math.max(0, at - 40), at + 90);
  }
  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : index.map((entry) => [score(entry, words), entry]).filter(([s]) => s > 0).sort((a, b) => b[0] - a[0]).slice(0, 12);
    list.replaceChildren(...found.map(([, entry], i) => {
      const a = document.createElement('a');
      a.href = up + entry.file + (entry.slug ? '#' + entry.slug : '');
      a.textContent = entry.title ? `${entry.page}: ${entry.title}` : entry.page;
      if (i === 0) a.className = 'chosen';
      const small = document.createElement('small');
      small.textContent = excerpt(entry, words[0]);
      a.append(small);
      const item = document.createElement('li');
      item.append(a);
      return item;
    }));
    if (words.length > 0 && found.length === 0) {
      const item = document.createElement('li');
      item.textContent = 'nothing found';
      list.append(item);
    }
    list.hidden = words.length === 0;
  }
  function choose(by) {
    const all = [...list.querySelectorAll('a')];
    const now = all.findIndex((a) => a.classList.contains('chosen'));
    all[now]?.classList.remove('chosen');
    const next = all[(now + by + all.length) % all.length];
    next?.classList.add('chosen');
    next?.scrollIntoView({block: 'nearest'});
  }
  input.addEventListener('input', search);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      const chosen = list.querySelector('a.chosen');
      if (!chosen) return;
      location.href = chosen.href;
      list.hidden = true;
    } else if (event.key === 'Escape') {
      input.value = '';
      search();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.search')) list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
  });

  const root = document.documentElement;
  document.querySelector('.theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    try {
      localStorage.setItem('cardan-docs-theme', root.dataset.theme);
    } catch {
      // Pages from disk may not store anything.
    }
  });
  const menu = document.querySelector('.menu');
  menu.addEventListener('click', () => {
    const open = document.querySelector('nav').classList.toggle('open');
    menu.setAttribute('aria-expanded', String(open));
  });
})();
