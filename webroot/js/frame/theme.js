// theme.js - the theme: light, dark, or the system's.

const order = ['system', 'light', 'dark'];
const key = 'miniprofd.theme';

export function createTheme(changed) {
  const root = document.documentElement;
  const media = matchMedia('(prefers-color-scheme: dark)');
  media.addEventListener('change', changed);
  const theme = {
    chosen: () => root.dataset.theme ?? 'system',
    /** The theme in use: 'light' or 'dark'. */
    current: () => root.dataset.theme ?? (media.matches ? 'dark' : 'light'),
    next() {
      const chosen = order[(order.indexOf(theme.chosen()) + 1) % order.length];
      if (chosen === 'system') delete root.dataset.theme;
      else root.dataset.theme = chosen;
      try {
        localStorage.setItem(key, chosen);
      } catch {
        // Storage may be forbidden; then the choice lasts until the page is closed.
      }
      changed();
      return chosen;
    },
  };
  return theme;
}
