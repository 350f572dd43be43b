// panel.js - the connection panel: whether the figures are reliable, what is connected, and commands. It lies over the
// view.

import { el, focusView, setAttr, setText } from '../dom.js';
import { makeView } from '../host.js';
import { pillState } from '../model/health.js';

/**
 * `definition` is the view of the link (view/list.js), `host()` its host; `facts` and `device` are elements for the
 * panel; `press` is the button that opens it.
 */
export function createPanel({ definition, host, place, press, facts, device }) {
  const root = document.getElementById('panel');
  const title = el('h2');
  const close = () => place.go({ panel: '' }, { replace: true });
  let view = null;
  let isOpen = false;
  root.append(title, device, facts);

  function open() {
    if (view === null) {
      view = makeView(definition, host());
      view.root.querySelector('.link-about').append(device, facts);
      root.append(view.root);
    }
    root.hidden = false;
    root.focus({ preventScroll: true });
    document.addEventListener('pointerdown', outside, true);
  }

  function shut() {
    const had = root.contains(document.activeElement);
    root.hidden = true;
    document.removeEventListener('pointerdown', outside, true);
    if (had) press.focus({ preventScroll: true });
    focusView(press);
  }

  /** Menus, dialogs and toasts lie above the panel, and do not close it; tabs do. */
  function outside({ target }) {
    if (!target.closest('#panel, #connection, .menu, dialog, .toasts, .notices, #badges')) close();
  }

  return {
    toggle: () => (isOpen ? close() : place.go({ panel: 'link' })),
    /** Closes the panel; false if it was not open. */
    back() {
      if (isOpen) close();
      return isOpen;
    },
    update(live, answers) {
      const wanted = place.get().panel !== '';
      if (wanted !== isOpen) {
        isOpen = wanted;
        setAttr(press, 'aria-expanded', String(isOpen));
        if (isOpen) open();
        else shut();
      }
      if (!isOpen) return;
      setText(title, pillState(live, answers).title);
      view.update();
    },
  };
}
