import {defineConfig, type Plugin} from 'vite';

/** Scripts and styles go into the page itself: one file that works from disk and needs no other request. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = Object.values(bundle).find((item) => item.fileName.endsWith('.html'));
      if (page?.type !== 'asset') throw new Error('the build made no page');
      let html = String(page.source);
      for (const [name, item] of Object.entries(bundle)) {
        if (item === page) continue;
        const file = item.fileName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        if (item.type === 'chunk') {
          const code = item.code.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '\\x3C!--');
          html = html.replace(new RegExp(`<script[^>]*${file}[^>]*></script>`), '');
          html = html.replace('</body>', () => `<script type="module">${code}</script></body>`);
        } else {
          html = html.replace(new RegExp(`<link[^>]*${file}[^>]*>`), () => `<style>${String(item.source)}</style>`);
        }
        delete bundle[name];
      }
      if (/(src|href)="[^"#d]/.test(html.replace(/<(script|style)[^>]*>[^]*?<\/\1>/g, ''))) {
        throw new Error('the page still refers to other files');
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 1 << 20,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
  },
  plugins: [oneFile()],
});
