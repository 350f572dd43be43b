// balance.js - the daemon's ledger as text: what came, and where all of it went.

import { bytes, count, dash, duration } from './format.js';

/** By unit: the account of what arrived, and the labels of the other accounts. Accounts of 0 are omitted. */
const units = {
  bytes: {
    came: 'came',
    words: {
      in_packets: 'in packets',
      before_first: 'before the first one',
      between_packets: 'between packets',
      cut_off: 'cut off at the end',
      encoding: 'digits and other text around packets',
      waiting: 'of a packet that is not over',
    },
    again: 'read_again',
  },
  calls: {
    came: 'told',
    words: {
      shown: 'shown',
      running: 'running',
      waiting: 'waiting for their caller',
      unfinished: 'without an end',
      refused: 'beyond a ceiling',
      cleared: 'cleared without an order',
    },
  },
  ticks: { came: 'ran', words: { inside: 'in functions', outside: 'in none of them', unknown: 'in unknown ones' } },
};

/** Own time is shown with the time outside of functions in it. */
const accountsOf = {
  ticks: (row) => ({ ...row, inside: row.own - row.outside - row.unknown }),
};

/** "64,380 = 64,370 shown + 10 running"; a dash if unknown. */
export function balanceText(unit, { ledger, ticksPerSecond }) {
  const row = ledger?.[unit];
  if (!row || !(row[units[unit].came] > 0)) return dash;
  const text = { bytes, calls: count, ticks: (n) => duration(n, ticksPerSecond) }[unit];
  const accounts = accountsOf[unit]?.(row) ?? row;
  const went = Object.entries(units[unit].words)
    .filter(([key]) => accounts[key] > 0)
    .map(([key, words]) => `${text(accounts[key])} ${words}`);
  const again = row[units[unit].again] ?? 0;
  return `${text(row[units[unit].came])}${again > 0 ? ` + ${text(again)} read again` : ''} = ${went.join(' + ')}`;
}
