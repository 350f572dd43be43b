// theme-first.js - sets the chosen theme before the first paint. Not a module, since modules run after it.
{
  let theme = null;
  try {
    theme = localStorage.getItem('miniprofd.theme');
  } catch {
    // Storage may be forbidden; then the system's theme is used.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
