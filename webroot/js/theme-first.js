// theme-first.js - the chosen theme, before the first paint. Not a module, for modules run after it.
{
  let theme = null;
  try {
    theme = localStorage.getItem('miniprofd.theme');
  } catch {
    // Storage may be forbidden; the system's theme serves then.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
