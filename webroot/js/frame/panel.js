// panel.js - the panel of the connection: whether the numbers can be believed and why not, what is connected, and the commands for it. It
// lies over the view that is shown.

import { el, focusView, setAttr, setText } from '../dom.js';
import { makeView } from '../host.js';
import { pillState } from '../model/health.js';

/**
 * `definition` is what it shows of the link (view/list.js), `host()` what that is shown by, `parts` are elements that belong into it: { facts,
 * device }. `press` is the button that opens it.
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

  /** A menu, a dialog and a toast lie above it, and the tabs lead on from it. */
  function outside({ target }) {
    if (!target.closest('#panel, #connection, .menu, dialog, .toasts, .notices, #badges')) close();
  }

  return {
    toggle: () => (isOpen ? close() : place.go({ panel: 'link' })),
    /** False when it is not open. */
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
