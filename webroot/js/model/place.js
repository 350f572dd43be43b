// place.js - the state of the page as the part of the address after '#': "#flame?zoom=main/loop&search=uart".
//
// Frames and functions are written by name, so that a link means the same after a restart of the daemon.

import { severities } from './messages.js';
import { readRange } from './range.js';

export const defaults = Object.freeze({
  view: 'overview',
  zoom: [], // labels from the outermost frame down
  search: '',
  fn: '', // label of the selected function, or ''
  unit: 'time',
  idle: false, // true: idle time counts in widths, shares and sorts (model/idle.js)
  inverted: false,
  parts: 'both', // of the flame graph's view: 'both' graph and table, or one of them
  order: 'heavy',
  collapse: false,
  colour: 'function',
  hide: [], // hidden with their callees
  merge: [], // hidden without their callees, which are shown below the callers
  focus: [],
  row: '', // of the Source view: a line, or an instruction's address
  pane: 'source',
  sort: 'self',
  rising: false,
  corrected: false, // true: function times without the cost of measuring
  measure: 'call', // of the Compare view, as are the next ones
  side: 'after',
  swap: false,
  since: true,
  least: '5', // percent
  show: 'flame',
  changes: 'delta',
  changesRising: false,
  range: '', // "FROM-TO" in ticks, to which all views are restricted; '' for all time
  at: '', // what the timeline shows: '' its usual part, 'live', 'live-TICKS', 'all' or "FROM-TO" in ticks
  spot: '', // the selected time in ticks, or ''
  zero: '', // the zero of displayed times (model/time.js)
  call: '', // the call selected in the timeline: "CONTEXT-DEPTH-START"
  panel: '', // the open panel: 'link' (connection and health), or ''
  inspector: '', // '1': the card of the selected function is beside the view; '0': it is not; '': as usual in the view
  depth: '2', // of the call graph: how many levels to each side
  more: [], // levels with additional boxes, once per request
  severity: '', // the least severe messages shown, or ''
  origin: '', // the messages' origin, or ''
  pinned: [], // labels of pinned functions (model/pinned.js)
  strip: false, // true: they are shown below the header
  pins: [], // pinned lanes of the timeline (model/lanechoice.js)
  lanes: [], // moved lanes, in order
  without: [], // hidden lanes
  notes: [], // the user's notes (model/notes.js)
  message: '', // number of the selected message, or ''
  pause: '', // the daemon's number for the paused moment of a link
});

const choices = {
  unit: ['time', 'calls', 'samples'],
  order: ['heavy', 'name'],
  parts: ['both', 'flame', 'table'],
  colour: ['function', 'file'],
  pane: ['source', 'code'],
  measure: ['share', 'second', 'total', 'call'],
  side: ['after', 'before'],
  least: ['0', '1', '5', '10'],
  show: ['flame', 'table'],
  panel: ['', 'link'],
  inspector: ['', '0', '1'],
  depth: ['1', '2', '3'],
  severity: ['', ...severities],
};
const checks = {
  row: (text) => /^(\d{1,10}(-\d{1,10})?|0x[0-9a-f]{1,16})?$/.test(text),
  range: (text) => readRange(text) !== null,
  spot: (text) => /^\d{1,20}$/.test(text),
  pause: (text) => /^\d{1,15}$/.test(text),
  zero: (text) => /^(reset|counter|clock|\d{1,20})$/.test(text),
  at: (text) => /^(all|live(-\d{1,20})?)$/.test(text) || readRange(text) !== null,
  call: (text) => /^\d{1,10}-\d{1,10}-\d{1,20}$/.test(text),
};
const lists = { zoom: '/', hide: ',', merge: ',', focus: ',', more: ',', pinned: ',', pins: ',', lanes: ',', without: ',', notes: ',' };

// encodeURIComponent keeps these, but '(' and ')' end a link in running text, and "'" and '!' are special in shells.
const encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The place of an address's hash; invalid values become the default. */
export function parsePlace(hash) {
  const place = { ...defaults };
  const [view, query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  if (view === 'link') place.panel = view; // formerly a view
  else if (view !== '') place.view = decode(view);
  for (const pair of query.split('&')) {
    const [key, raw = ''] = pair.split(/=(.*)/s);
    if (!Object.hasOwn(defaults, key) || key === 'view') continue;
    if (key in lists) place[key] = raw === '' ? [] : raw.split(lists[key]).map(decode);
    else if (typeof defaults[key] === 'boolean') place[key] = raw === '1';
    else if (choices[key]?.includes(raw) === false || checks[key]?.(raw) === false) continue;
    else place[key] = decode(raw);
  }
  return place;
}

/** The hash of a place; only values other than the default are written. */
export function formatPlace(place) {
  const pairs = [];
  for (const key of Object.keys(defaults)) {
    if (key === 'view') continue;
    const value = place[key];
    if (key in lists) {
      if (value.length > 0) pairs.push(`${key}=${value.map(encode).join(lists[key])}`);
    } else if (value !== defaults[key]) {
      pairs.push(`${key}=${typeof value === 'boolean' ? Number(value) : encode(value)}`);
    }
  }
  return `#${encode(place.view)}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}
