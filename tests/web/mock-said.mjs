// mock-said.mjs - makes up checkpoints and messages of a target.

import { dice } from './mock-program.mjs';

const stages = ['connect start', 'connect end', 'call start', 'scheduled', 'call end'];

/** Returns rows as in a snapshot: pairs of both worlds (secure, non-secure), one that has never ended, and two averages. */
export function madeCheckpoints(seed = 1) {
  const roll = dice(seed);
  const rows = [];
  const pair = (name, topic, from, to, context, count, end = {}) => {
    const low = Math.round(20 * 10 ** (3 * roll()));
    const high = Math.round(low * (1 + 6 * roll()));
    const known = count > 0;
    rows.push({
      id: rows.length,
      name,
      topic,
      from,
      to_topic: topic,
      to,
      topic_name: topic === 4 ? 'crypto' : null,
      to_topic_name: topic === 4 ? 'crypto' : null,
      from_name: stages[from] ?? null,
      to_name: stages[to] ?? null,
      context,
      to_context: context,
      count,
      first_ticks: known ? high : null,
      min_ticks: known ? low : null,
      max_ticks: known ? high : null,
      mean_ticks: known ? low + (high - low) / 3 : null,
      ...end,
    });
  };
  for (const context of ['secure', 'non-secure']) {
    pair('psa_connect', 4, 0, 1, context, 120);
    pair('psa_call, to the scheduler', 4, 2, 3, context, 480);
    pair('psa_call', 4, 2, 4, context, 480);
    pair(null, 9, 7, 8, context, 3);
  }
  pair('psa_close', 4, 1, 4, 'secure', 0);
  const elsewhere = { to_topic: 11, to_topic_name: 'storage', to_name: null };
  pair('psa_call, until stored', 4, 2, 6, 'non-secure', 240, { ...elsewhere, to_context: 'secure' });
  pair(null, 9, 7, 8, 'secure', 9, elsewhere);
  for (const [name, context] of [
    ['psa_connect', 'secure'],
    ['psa_call stateless', 'non-secure'],
  ]) {
    const nothing = { topic: null, from: null, to_topic: null, to: null, topic_name: null, to_topic_name: null };
    const unnamed = { from_name: null, to_name: null, to_context: null };
    const unknown = { count: null, first_ticks: null, min_ticks: null, max_ticks: null };
    rows.push({ id: rows.length, name, ...nothing, ...unnamed, context, ...unknown, mean_ticks: Math.round(900 + 900 * roll()) });
  }
  return rows;
}

const voices = [
  ['0:1', 'boot', 'info', 'clock tree locked at 168 MHz', './boot.c:41'],
  ['3:2', 'net', 'info', 'link up, 100 Mbit/s full duplex', './net/phy.c:210'],
  ['3:2', 'net', 'debug', 'rx ring: 14 of 32 used', './net/mac.c:77'],
  ['3:2', 'net', 'warning', 'ARP table full, oldest entry goes', './net/arp.c:133'],
  ['7:0', undefined, 'error', 'I2C2: no acknowledge from 0x68\nbus is reset', undefined],
  ['3:2', 'net', 'fatal', 'assertion failed: pbuf->ref > 0', './net/pbuf.c:402'],
  ['9:1', 'ui', 'user1', 'name typed: \u202egnp.exe\u202c \u05e9\u05dc\u05d5\u05dd', './ui/text.c:12'],
  ['0:0', undefined, 'max', '\u001b[31mversion 1.4.2\u001b[0m <b>release</b>\r\n', undefined],
];

/** Returns the messages `from` to `from + n - 1`. */
export function madeMessages(from, n) {
  return Array.from({ length: n }, (_, i) => {
    const [origin, name, severity, text, location] = voices[(from + i) % voices.length];
    return {
      number: from + i,
      ticks: 1000 * (from + i),
      severity,
      origin,
      ...(name ? { origin_name: name } : {}),
      text: `${text}${severity === 'debug' ? ` (#${from + i})` : ''}`,
      type: 'STRING:GENERIC',
      status: 'OK',
      ...(location ? { location } : {}),
    };
  });
}
