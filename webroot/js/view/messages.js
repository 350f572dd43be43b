// messages.js - the target's text messages: a list of any length that follows its end, filters, and all that is known
// about the chosen one.

import { el } from '../dom.js';
import { copyText } from '../part/clipboard.js';
import { count, plural, ticksNote } from '../model/format.js';
import { emptyStateOf } from '../model/empty.js';
import { filterMessages, messageLines } from '../model/messages.js';
import { rangeTicks } from '../model/range.js';
import { goneWords, placeOfMoment } from '../model/time.js';
import { createEmpty } from '../part/empty.js';
import { createFoot, whyEmpty } from '../part/foot.js';
import { createTable } from '../part/table.js';
import { tableKeys } from '../part/table-keys.js';
import { columnsOf } from './messages/columns.js';
import { createDetails } from './messages/details.js';
import { createToolbar } from './messages/toolbar.js';

const group = 'Messages';

function create(host) {
  const view = {
    host,
    rows: [],
    asked: null, // the input and filter of `rows`
    follows: host.place.message === '',
    scrolledTo: 0,
    revealed: '', // the message last scrolled to
    empty: createEmpty(host),
  };
  view.toolbar = createToolbar(host, { follow: () => follow(view), copy: () => copy(view) });
  view.columns = columnsOf((row) => lead(view, row), (row) => canLead(view, row));
  view.details = createDetails(() => back(host), (row) => lead(view, row));
  view.table = createTable('Messages', 'messages-table', {
    choose: (row) => host.go({ message: String(row.n) }),
    sort: () => {},
    scroll: () => scrolled(view),
  });
  view.foot = createFoot(view.table);
  const { toolbar, table, foot, details, empty } = view;
  view.body = el('div', { class: 'table-side' }, toolbar.root, table.root, foot.nothing, details.root, foot.root);
  return {
    root: el('section', { class: 'view messages', 'aria-label': 'Messages' }, view.body, empty.root),
    update: () => update(view),
    back: () => back(host),
    summary: () =>
      host.match.empty ? '' : `${count(view.rows.length)} of ${count(host.profile.messages.length)}`,
    next: (step) => move(view, step),
    actions: actionsOf(view),
  };
}

function actionsOf(view) {
  const { table, toolbar } = view;
  return [
    ...tableKeys(group, 'message', table, (step) => move(view, step)),
    { keys: ['Enter'], label: 'Its moment on the timeline', group, run: () => lead(view, chosenRow(view)) },
    { keys: ['f'], label: 'Follow the newest message', group, run: () => follow(view) },
    { keys: ['c'], label: 'Copy what is listed', group, run: () => copy(view) },
    { keys: ['l'], label: 'Least severity shown', group, run: () => toolbar.turn('severity') },
    { keys: ['o'], label: 'Whose messages', group, run: () => toolbar.turn('origin') },
  ];
}

// --- user actions

function follow(view) {
  view.follows = !view.follows;
  if (view.follows) view.table.toEnd();
  view.host.redraw();
}

/** The list may have grown, so only scrolling up stops following. */
function scrolled(view) {
  const { table } = view;
  const top = table.root.scrollTop;
  view.follows = table.atEnd() || (view.follows && top >= view.scrolledTo);
  view.scrolledTo = top;
  view.host.redraw();
}

async function copy({ host, rows }) {
  const done = await copyText(messageLines(rows, host.time));
  if (done) host.toast('ok', 'Copied', `${plural(rows.length, 'message')}, a line each.`);
  else host.toast('bad', 'Copy', 'The browser does not allow it here.');
}

function chosenIndex({ host, rows }) {
  const n = host.place.message === '' ? NaN : Number(host.place.message);
  return rows.findIndex((row) => row.n === n);
}

const chosenRow = (view) => view.rows[chosenIndex(view)] ?? null;

/** True when the timeline has the moment of a row. */
const canLead = ({ host }, row) =>
  row !== null && (row.message.ticks ?? null) !== null && host.views.includes('timeline') && host.whole.provides('timeline');

/** Goes to the time of a row on the timeline, and selects its marker. */
function lead(view, row) {
  const { host } = view;
  if (!canLead(view, row)) return false;
  const { ticks } = row.message;
  const gone = goneWords(ticks, host.time);
  if (gone !== '') host.toast('info', `The message of ${host.time.moment(ticks)}`, gone);
  else host.go({ ...placeOfMoment(ticks, host.time, rangeTicks(host.place.at)), message: String(row.n) });
  return true;
}

function move(view, step) {
  const { rows } = view;
  const at = chosenIndex(view);
  const from = at < 0 ? (step > 0 ? -1 : rows.length) : at;
  const to = Math.min(Math.max(from + step, 0), rows.length - 1);
  if (rows[to] === undefined) return false;
  view.follows = false;
  view.host.go({ message: String(rows[to].n) }, { replace: true });
  return true;
}

function back(host) {
  if (host.place.message === '') return false;
  host.go({ message: '' });
  return true;
}

// --- drawing

function listRows(view) {
  const { profile, place, match } = view.host;
  const now = [profile.sequence, profile, place.severity, place.origin, match];
  if (view.asked !== null && now.every((part, i) => part === view.asked[i])) return;
  view.asked = now;
  view.rows = filterMessages(profile, { least: place.severity, origin: place.origin }, match);
}

/** Shows the list at its scroll position, then at its end or at the message in the address. */
function showRows(view, chosen) {
  const { host, table, rows, columns } = view;
  const { message } = host.place;
  const show = () =>
    table.show(rows, columns, {
      scale: host.time,
      marks: (row) => ({ 'aria-selected': row === chosen ? 'true' : null }),
    });
  show();
  if (view.follows && !table.atEnd()) {
    table.toEnd();
    show();
  }
  if (message === view.revealed) return;
  view.revealed = message;
  if (chosen === null) return;
  table.reveal(rows.indexOf(chosen));
  show();
}

function tell({ host, rows, foot }) {
  const { profile, match } = host;
  const all = profile.messages.length;
  const gone = profile.messagesGone;
  foot.tell(
    [
      rows.length === all ? plural(all, 'message') : `${count(rows.length)} of ${plural(all, 'message')}`,
      gone > 0 ? `${plural(gone, 'earlier one')} no longer kept` : '',
      profile.ticksPerSecond ? '' : ticksNote,
    ],
    whyEmpty(rows, match, 'No message is left by these filters.'),
  );
}

function update(view) {
  const { host, body, empty } = view;
  const { profile } = host;
  body.hidden = profile.messages.length === 0;
  if (body.hidden) {
    empty.tell(emptyStateOf('messages', profile, host.answers));
    return;
  }
  empty.hide();
  listRows(view);
  view.toolbar.show(view.follows);
  const chosen = chosenRow(view);
  view.details.show(chosen, host.time, canLead(view, chosen));
  showRows(view, chosen);
  tell(view);
}

export const messages = { id: 'messages', title: 'Messages', has: (profile) => profile.messages.length > 0, create };
