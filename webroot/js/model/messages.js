// messages.js - the target's text messages: which are asked for, and how they are written down.

/** Most severe first. SyS-T's "max" is for messages that must never be filtered out. */
export const severities = ['max', 'fatal', 'error', 'warning', 'info', 'user1', 'user2', 'debug'];

const markerLetters = 20; // of a message that distinguish it from another of the same tick

const rankOf = new Map(severities.map((name, rank) => [name, rank]));

/** The rank of a severity, 0 for the most severe; unknown ones count as the least. */
const severityRank = (severity) => rankOf.get(severity) ?? severities.length - 1;

export const originName = (message) => message.origin_name ?? message.origin ?? '';

/** The origins of the messages, by name: [{ origin, name, count }]. */
export function origins(messages) {
  const found = new Map();
  for (const message of messages) {
    const one = found.get(message.origin) ?? { origin: message.origin, name: originName(message), count: 0 };
    one.count++;
    found.set(message.origin, one);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/**
 * The filtered messages: [{ n, message }], oldest first, `n` their number. `least` is a severity ('' for all), `origin`
 * an origin ('' for all).
 */
export function filterMessages(profile, filter, match) {
  const passes = filterOf(filter);
  const isMatch = matchesOf(match);
  return profile.messages.filter((one) => passes(one) && isMatch(one)).map((message) => ({ n: message.number, message }));
}

function filterOf({ least, origin }) {
  const rank = least === '' ? severities.length : severityRank(least);
  return (message) => severityRank(message.severity) <= rank && (origin === '' || message.origin === origin);
}

const matchesOf = (match) => (message) => match.empty || match.test(message.text) || match.test(originName(message));

/** The message of a marker on the timeline, the first if it stands for several; null if it is no longer kept. */
export function messageOf(messages, { start, text }) {
  const then = messages.filter(({ ticks }) => ticks === start);
  const letters = text.slice(0, markerLetters); // the daemon cuts long texts and replaces unprintable characters
  return then.find((one) => one.text.startsWith(letters)) ?? then[0] ?? null;
}

/** A message as a marker of the timeline. */
export const messageMark = ({ ticks, text }) => ({ kind: 'marker', what: 'message', start: ticks, end: ticks, text, count: 1 });

/** The place that lists the message: filters and a search that would hide it are dropped. */
export function placeOfMessage(message, { severity, origin }, match) {
  const shown = filterOf({ least: severity, origin })(message) ? {} : { severity: '', origin: '' };
  const found = matchesOf(match)(message) ? {} : { search: '' };
  return { view: 'messages', message: String(message.number), ...shown, ...found };
}

const signs = { '\n': '⏎', '\t': '⇥', '\x7f': '‹DEL›' };
// Unicode has symbols for these, but many fonts lack them.
const controls = (
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC ' +
  'FS GS RS US'
).split(' ');
const bidi = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
// eslint-disable-next-line no-control-regex -- matching them is the purpose
const strange = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

function sign(c) {
  const code = c.codePointAt(0);
  if (signs[c]) return signs[c];
  if (code < controls.length) return `‹${controls[code]}›`;
  return `‹${bidi.test(c) ? 'bidi ' : ''}${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

/**
 * The text in pieces { text, sign }: characters that cannot be seen, or that would turn the writing round,
 * are replaced by a sign.
 */
export function pieces(text) {
  const out = [];
  for (const c of text) {
    const isSign = strange.test(c);
    const last = out[out.length - 1];
    const shown = isSign ? sign(c) : c;
    if (last !== undefined && last.sign === isSign) last.text += shown;
    else out.push({ text: shown, sign: isSign });
  }
  return out;
}

/** Messages as lines with tabs between columns, for the clipboard; `time` as in time.js. */
export function messageLines(rows, time) {
  const flat = (text) => pieces(text).map((piece) => piece.text).join('');
  return rows
    .map(({ message }) =>
      [
        time.listed(message.ticks),
        message.severity,
        flat(originName(message)),
        flat(message.text),
      ].join('\t'),
    )
    .join('\n');
}
