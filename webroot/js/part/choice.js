// choice.js - a row of buttons of which one is pressed.

import { el, setAttr } from '../dom.js';

/** A row of choices [value, text, tip]; `chosen(value)` is called for a click. */
export function createChoice(label, options, chosen) {
  const buttons = options.map(([value, text, tip]) =>
    el('button', { type: 'button', title: tip, onclick: () => chosen(value) }, text),
  );
  const root = el('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons);
  return {
    root,
    show(value, available = () => true) {
      options.forEach(([option], i) => {
        setAttr(buttons[i], 'aria-pressed', String(option === value));
        buttons[i].disabled = !available(option);
      });
    },
  };
}
