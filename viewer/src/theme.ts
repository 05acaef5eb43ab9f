// Light or dark: as the system has it, until somebody chooses, which is remembered.

const key = 'cardan-theme';

export class Theme {
  dark = false;

  constructor(private readonly changed: (dark: boolean) => void) {
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    const stored = remembered();
    this.set(stored ? stored === 'dark' : scheme.matches);
    scheme.addEventListener('change', () => {
      if (!remembered()) this.set(scheme.matches);
    });
  }

  toggle(): void {
    this.set(!this.dark);
    try {
      localStorage.setItem(key, this.dark ? 'dark' : 'light');
    } catch {
      // Pages from disk may not store anything.
    }
  }

  private set(dark: boolean): void {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    this.changed(dark);
    document.dispatchEvent(new Event('cardan-theme'));
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
