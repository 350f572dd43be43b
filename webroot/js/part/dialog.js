// dialog.js - a dialog with a title and a close button.

import { button, el, focusView, pressedByMouse } from '../dom.js';

/** Opens a dialog around `body` and returns it; closing removes it from the page. */
export function openDialog(title, body, { className = null } = {}) {
  const dialog = el(
    'dialog',
    { 'aria-label': title, class: className },
    el(
      'div',
      { class: 'dialog-head' },
      el('h2', {}, title),
      button('close', 'Close', () => dialog.close(), { iconOnly: true }),
    ),
    body,
  );
  const from = pressedByMouse();
  dialog.addEventListener('close', () => {
    dialog.remove();
    focusView(from);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
