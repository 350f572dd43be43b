// details.js - all that is known about one message.

import { button, el } from '../../dom.js';
import { count } from '../../model/format.js';
import { createMessageText } from './text.js';

const terms = ['Number', 'Time', 'Severity', 'Origin', 'Location', 'Type', 'Status'];

/** `close()` is called by the close button, `lead(row)` by the one that goes to the timeline. */
export function createDetails(close, lead) {
  const text = createMessageText('message-whole');
  const figures = el('dl', { class: 'message-facts' });
  const facts = terms.map((term) => {
    const value = createMessageText();
    const fact = el('div', {}, el('dt', {}, term), el('dd', {}, value.root));
    figures.append(fact);
    return { fact, value };
  });
  let shown = null;
  const moment = button('focus', 'Timeline', () => lead(shown), { keys: 'Enter', tip: 'Show this moment on the timeline (Enter)' });
  const away = button('close', 'Close', close, { iconOnly: true, keys: 'Esc' });
  const root = el(
    'section',
    { class: 'message-details', 'aria-label': 'Chosen message', hidden: true },
    el('div', { class: 'message-head' }, figures, moment, away),
    el('p', { class: 'mono' }, text.root),
  );
  return {
    root,
    /** Shows a row of filterMessages(), or nothing for null; `leads`: the timeline has its time. */
    show(row, time, leads) {
      shown = row;
      moment.hidden = !leads;
      root.hidden = row === null;
      if (row === null) return;
      const words = wordsOf(row, time);
      facts.forEach(({ fact, value }, i) => {
        fact.hidden = !words[i];
        value.set(words[i] ?? '');
      });
      text.set(row.message.text);
    },
  };
}

/** In the order of `terms`. */
const wordsOf = ({ n, message }, time) => [
  count(n + 1),
  time.listed(message.ticks),
  message.severity,
  message.origin_name ? `${message.origin_name} (${message.origin})` : message.origin,
  message.location,
  message.type,
  message.status,
];
