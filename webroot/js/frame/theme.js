// theme.js - the theme: light, dark, or the system's. theme-first.js has set it; `data-system` is there while it is the system's.

const order = ['system', 'light', 'dark'];
const key = 'miniprofd.theme';

export function createTheme(changed) {
  const { dataset } = document.documentElement;
  const media = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => ('system' in dataset ? 'system' : dataset.theme);
  function use(choice) {
    dataset.theme = choice !== 'system' ? choice : media.matches ? 'dark' : 'light';
    if (choice === 'system') dataset.system = '';
    else delete dataset.system;
    changed();
  }
  media.addEventListener('change', () => use(chosen()));
  return {
    chosen,
    /** The theme in use: 'light' or 'dark'. */
    current: () => dataset.theme,
    next() {
      const choice = order[(order.indexOf(chosen()) + 1) % order.length];
      try {
        localStorage.setItem(key, choice);
      } catch {
        // Storage may be forbidden; then the choice lasts until the page is closed.
      }
      use(choice);
      return choice;
    },
  };
}
