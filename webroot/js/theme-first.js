// theme-first.js - sets the theme before the first paint: the chosen one, or the system's. Not a module, since modules run after it.
{
  let theme = null;
  try {
    theme = localStorage.getItem('miniprofd.theme');
  } catch {
    // Storage may be forbidden; then the system's theme is used.
  }
  const { dataset } = document.documentElement;
  if (theme !== 'light' && theme !== 'dark') {
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    dataset.system = ''; // js/frame/theme.js follows the system then
  }
  dataset.theme = theme;
}
