// chains.js - the deepest calls of each context with their frame sizes, below the table.

import { el, setText } from '../../dom.js';
import { createChain } from '../../part/chain.js';

/** { root, show(rows) }: rows of model/tasks.js. Each call links to its function. */
export function createChains(host) {
  const list = el('dl', { class: 'tasks-chains-list' });
  const root = el('section', { class: 'tasks-chains', 'aria-label': 'Deepest calls' }, el('h2', {}, 'Deepest calls'), list);
  const slots = [];
  const make = () => {
    const slot = { name: el('dt'), chain: createChain((id) => host.go({ view: 'functions', fn: host.profile.labelOf(id) })) };
    slot.place = el('dd', {}, slot.chain.root);
    list.append(slot.name, slot.place);
    slots.push(slot);
    return slot;
  };
  return {
    root,
    show(rows) {
      const known = rows.filter(({ chain }) => chain !== null);
      root.hidden = known.length === 0;
      known.forEach(({ name, chain }, i) => {
        const slot = slots[i] ?? make();
        slot.name.hidden = slot.place.hidden = false;
        setText(slot.name, name);
        slot.chain.show(chain);
      });
      for (const { name, place } of slots.slice(known.length)) name.hidden = place.hidden = true;
    },
  };
}
