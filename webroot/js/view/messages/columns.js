// columns.js - the columns of the list of messages.

import { el, setAttr, setText } from '../../dom.js';
import { messageTime, originName } from '../../model/messages.js';
import { createMessageText } from './text.js';

const signs = { max: '■', fatal: '◆', error: '●', warning: '▲', info: 'i', user1: '1', user2: '2', debug: '·' };
const plain = true; // messages stay in the order they came in

export const columns = [
  {
    id: 'time',
    title: 'Time',
    tip: 'Since the clock of the target began, in ticks where its rate is not known',
    plain,
    text: ({ message }, ticksPerSecond) => messageTime(message.ticks, ticksPerSecond),
  },
  { id: 'severity', title: 'Severity', tip: 'As the target says', plain, cell: severityCell },
  {
    id: 'origin',
    title: 'Origin',
    tip: 'Module and unit, by name where the collateral knows it',
    plain,
    cell: () => textCell(({ message }) => originName(message)),
  },
  { id: 'text', title: 'Message', tip: 'As the target says', plain, cell: () => textCell(({ message }) => message.text) },
];

function severityCell() {
  const sign = el('span', { class: 'severity-sign', 'aria-hidden': 'true' });
  const word = el('span');
  const root = el('span', { class: 'severity' }, sign, word);
  return {
    nodes: [root],
    set({ message }) {
      setAttr(root, 'data-severity', message.severity);
      setText(sign, signs[message.severity] ?? '?');
      setText(word, message.severity);
    },
  };
}

function textCell(of) {
  const text = createMessageText();
  return { nodes: [text.root], set: (row) => text.set(of(row)) };
}
