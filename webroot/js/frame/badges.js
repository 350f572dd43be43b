// badges.js - what was lost on the way, in the header: buttons that open the Link view.

import { el, setAttr, setText } from '../dom.js';
import { compact } from '../model/format.js';
import { damagedPackets, lostText } from '../model/health.js';

/** What it is called, what it means, and its number as text. */
const losses = [
  ['overflow', 'Times the buffer on the device was full', ({ target }) => compact(target.buffer_overflows ?? 0)],
  ['CRC', 'Packets that arrived damaged', ({ link }) => compact(damagedPackets(link))],
  ['lost', 'Records known to be lost; ? where nobody knows how many', (profile) => lostText(profile, compact)],
];

export function createBadges(host, showLink) {
  const badges = losses.map(([, tip]) =>
    el('button', { type: 'button', class: 'badge', title: `${tip}. Opens the Link view.`, onclick: showLink }),
  );
  host.append(...badges);
  return {
    update(profile) {
      losses.forEach(([word, , of], i) => {
        const n = of(profile);
        setText(badges[i], `${n} ${word}`);
        setAttr(badges[i], 'data-level', n !== '0' ? 'warn' : null);
      });
    },
  };
}
