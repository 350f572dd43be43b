// idle.js - shows the idle share in the header, and switches between busy time and all time.

import { el, setAttr, setText } from '../dom.js';
import { percent } from '../model/format.js';
import { hasIdleContext, idleShare, withoutIdle } from '../model/idle.js';

const group = 'Everywhere';
const sources = { task: 'what the idle task ran', loop: 'the own time of the main loop, which never returned' };

/** Stands after the header's facts; `profile()` and `whole()` include idle time. */
export function createIdle({ facts, place, profile, whole }) {
  const toggle = () => place.go({ idle: !place.get().idle }, { replace: true });
  const [busy, every] = ['Busy', 'All'].map((word) => el('span', {}, word));
  const press = el('button', { type: 'button', class: 'idle-switch', onclick: toggle }, busy, el('span', { class: 'hidden' }, ' or '), every);
  const share = el('dt');
  const root = el('div', { hidden: true }, share, el('dd', {}, press));
  facts.append(root);
  return {
    /** `of` without its idle time, unless that is shown, too; `all` is the profile of all time. */
    shown: (of, all) => (place.get().idle ? of : withoutIdle(of, all)),
    actions: [{ keys: ['Shift+I'], label: 'Busy time, or all of it', group, run: toggle }],
    update() {
      const idle = idleShare(profile(), whole());
      root.hidden = idle === 0;
      if (idle === 0) return;
      const isAll = place.get().idle;
      setText(share, `Idle ${percent(idle)}`);
      setAttr(press, 'title', `Idle is ${sources[hasIdleContext(whole()) ? 'task' : 'loop']}: ${isAll ? 'it counts' : 'left out'} in widths, shares and sorts (Shift+I)`);
      setAttr(press, 'aria-pressed', String(isAll));
      setAttr(busy, 'data-on', isAll ? null : '');
      setAttr(every, 'data-on', isAll ? '' : null);
    },
  };
}
