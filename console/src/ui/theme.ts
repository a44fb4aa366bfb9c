export type Theme = 'system' | 'light' | 'dark';

const KEPT = 'console.theme';

export function keptTheme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Where nobody has chosen, the style sheet follows the system. */
export function applyTheme(theme: Theme = keptTheme()): void {
  if (theme === 'system') {
    localStorage.removeItem(KEPT);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEPT, theme);
    document.documentElement.dataset.theme = theme;
  }
}
