// editor.js - links that open a file at a line in the user's editor.

/** In a template {path} is the absolute path, {line} the line. */
export const editors = [
  { id: 'vscode', title: 'VS Code', template: 'vscode://file{path}:{line}' },
  { id: 'vscodium', title: 'VSCodium', template: 'vscodium://file{path}:{line}' },
  { id: 'cursor', title: 'Cursor', template: 'cursor://file{path}:{line}' },
  { id: 'zed', title: 'Zed', template: 'zed://file{path}:{line}' },
  { id: 'clion', title: 'CLion', template: 'clion://open?file={path}&line={line}' },
  { id: 'idea', title: 'IntelliJ IDEA', template: 'idea://open?file={path}&line={line}' },
  { id: 'emacs', title: 'Emacs', template: 'emacs://open?url=file://{path}&line={line}' },
  { id: 'textmate', title: 'TextMate, BBEdit', template: 'txmt://open?url=file://{path}&line={line}' },
];

// Schemes that a link in the page must never have.
const barred = /^(javascript|data|vbscript|blob|about):/i;

/** The error in a template, as a sentence, or ''. */
export function templateTrouble(template) {
  if (!/^[a-z][a-z0-9+.-]*:./i.test(template)) return 'It must begin with a scheme, such as myeditor://';
  if (barred.test(template)) return 'Links of this kind run in the page instead of opening an editor.';
  if (!template.includes('{path}')) return 'It must say where the path belongs: {path}';
  return '';
}

/** The link, or '' if the path is not absolute, since an editor could not find it. */
export function editorLink(template, { path, line }) {
  const slashed = path.replaceAll('\\', '/').replace(/^([A-Za-z]:\/)/, '/$1');
  if (!slashed.startsWith('/') || templateTrouble(template) !== '') return '';
  const encoded = slashed
    .split('/')
    .map((part) => encodeURIComponent(part).replace('%3A', ':'))
    .join('/');
  return template.replaceAll('{path}', () => encoded).replaceAll('{line}', String(line));
}
