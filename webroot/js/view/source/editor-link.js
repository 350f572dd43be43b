// editor-link.js - the link that opens a line in the user's editor, and the button that selects the editor.

import { button, el, icon, setAttr, setText } from '../../dom.js';
import { editorLink } from '../../model/editor.js';
import { createEditorChoice } from './editor.js';

const noPath = 'The ELF does not say in which directory this file was compiled.';

/** `place()` returns { path, file, line } of the selected row, or null. */
export function createEditorLink(host, place) {
  const text = el('span');
  const link = el('a', { class: 'button source-open', 'aria-keyshortcuts': 'o' }, icon('editor'), text);
  const editors = createEditorChoice(host, () => host.redraw());
  const choose = () => editors.menu(other);
  const other = button('down', 'Choose the editor', choose, { iconOnly: true, keys: 'Shift+O' });
  setAttr(other, 'aria-haspopup', 'menu');

  function open() {
    if (place() === null) return false;
    if (editors.chosen() === null) choose();
    else if (link.hasAttribute('href')) link.click();
    else host.toast('bad', 'No absolute path', noPath);
    return true;
  }

  listen(link, open);
  return {
    root: el('div', { class: 'source-acts' }, link, other),
    open,
    choose,
    /** `now` is the result of place(). */
    show(now) {
      link.hidden = other.hidden = now === null;
      showLink(link, text, editors.chosen(), now);
    },
  };
}

/** A link without an address asks for an editor, or shows why there is none. */
function listen(link, open) {
  const press = (event) => {
    if (link.hasAttribute('href')) return;
    event.preventDefault();
    open();
  };
  link.addEventListener('click', press);
  link.addEventListener('keydown', (event) => event.key === 'Enter' && press(event));
}

function showLink(link, text, editor, now) {
  const href = now === null || editor === null ? '' : editorLink(editor.template, now);
  setText(text, editor === null ? 'Open in editor' : `Open in ${editor.title}`);
  setAttr(link, 'aria-label', text.textContent);
  setAttr(link, 'href', href === '' ? null : href);
  setAttr(link, 'role', href === '' ? 'button' : null);
  setAttr(link, 'tabindex', href === '' ? '0' : null);
  setAttr(link, 'title', href === '' ? 'Open the line in your editor (o)' : `${href} (o)`);
}
