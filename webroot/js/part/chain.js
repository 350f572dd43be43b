// chain.js - a chain of calls with their frame sizes, as links to their functions.

import { el, setAttr, setText } from '../dom.js';
import { bytes } from '../model/format.js';
import { middle, tipOf } from '../model/names.js';

const nameMost = 120; // letters

/** { root, show(chain) }, a chain as model/stack.js has it; `choose(id)` is called for the one that is pressed. The pressed one keeps the focus while it changes. */
export function createChain(choose) {
  const root = el('ol', { class: 'chain', 'aria-label': 'Deepest calls' });
  const slots = [];
  const make = (i) => {
    const slot = { id: -1, name: el('span', { class: 'mono' }), frame: el('span', { class: 'chain-frame' }) };
    slot.press = el('button', { type: 'button', onclick: () => choose(slot.id) }, slot.name, ' ', slot.frame);
    slot.item = el('li', {}, slot.press);
    root.append(slot.item);
    return (slots[i] = slot);
  };
  return {
    root,
    show(chain) {
      chain.forEach(({ id, name, frame }, i) => {
        const slot = slots[i] ?? make(i);
        slot.id = id;
        slot.item.hidden = false;
        setText(slot.name, middle(name, nameMost));
        setText(slot.frame, frame === null ? '?' : bytes(frame));
        setAttr(slot.press, 'title', `${tipOf(name)}\n${frame === null ? 'The ELF does not have its frame' : `Its frame: ${bytes(frame)}`}`);
      });
      for (const { item } of slots.slice(chain.length)) item.hidden = true;
    },
  };
}
