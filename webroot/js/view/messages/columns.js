// columns.js - the columns of the list of messages.

import { el, setAttr, setText } from '../../dom.js';
import { originName } from '../../model/messages.js';
import { createMessageText } from './text.js';

const signs = { max: '■', fatal: '◆', error: '●', warning: '▲', info: 'i', user1: '1', user2: '2', debug: '·' };
const plain = true; // messages stay in order of arrival

/** `lead(row)` goes to the time of a message on the timeline, if canLead(row). */
export const columnsOf = (lead, canLead) => [
  {
    id: 'time',
    title: 'Time',
    tip: 'When it was said (Shift+T: counted from where), in ticks where their rate is not known',
    plain,
    cell: () => timeCell(lead, canLead),
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

/** Not in the Tab order: Enter does the same for the selected message. */
function timeCell(lead, canLead) {
  let shown = null;
  const onclick = () => lead(shown);
  const root = el('button', { type: 'button', class: 'message-time', tabindex: '-1', title: 'Show this moment on the timeline (Enter)', onclick });
  return {
    nodes: [root],
    set(row, time) {
      shown = row;
      root.disabled = !canLead(row);
      setText(root, time.listed(row.message.ticks));
    },
  };
}

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
