// badges.js - losses on the line, in the header: buttons that open the connection panel.

import { el, setText } from '../dom.js';
import { compact } from '../model/format.js';
import { damagedPackets, lostText } from '../model/health.js';

/** Label, meaning, and number as text. */
const losses = [
  ['overflows', 'Times the buffer on the device was full', ({ target }) => compact(target.buffer_overflows ?? 0)],
  ['CRC', 'Packets that arrived damaged', ({ link }) => compact(damagedPackets(link))],
  ['lost', 'Records known to be lost; ? where the number is unknown', (profile) => lostText(profile, compact)],
];

export function createBadges(host, showPanel) {
  const badges = losses.map(([, tip]) =>
    el('button', { type: 'button', class: 'badge', 'data-level': 'warn', hidden: true, title: `${tip}. Click for details.`, onclick: showPanel }),
  );
  host.append(...badges);
  return {
    update(profile) {
      losses.forEach(([word, , of], i) => {
        const n = of(profile);
        setText(badges[i], `${n} ${n === '1' ? word.replace(/s$/, '') : word}`);
        badges[i].hidden = n === '0';
      });
    },
  };
}
