// messages.js - what the target said in words: a list of any length that follows its end, filters, and all that
// is known of the one that is chosen.

import { button, el, setAttr, setText } from '../dom.js';
import { copyText } from '../frame/clipboard.js';
import { count, plural, ticksNote } from '../model/format.js';
import { emptyStateOf } from '../model/health.js';
import {
  filterMessages,
  messageLines,
  messageTime,
  originName,
  origins,
  severities,
} from '../model/messages.js';
import { createEmpty } from '../part/empty.js';
import { createMessageText } from './messages/text.js';
import { createTable, tableKeys } from '../part/table.js';

const severitySigns = { max: '■', fatal: '◆', error: '●', warning: '▲', info: 'i', user1: '1', user2: '2', debug: '·' };
const plain = true; // messages stay in the order they came in

const columns = [
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
      setText(sign, severitySigns[message.severity] ?? '?');
      setText(word, message.severity);
    },
  };
}

function textCell(of) {
  const text = createMessageText();
  return { nodes: [text.root], set: (row) => text.set(of(row)) };
}

function createDetails(host, close) {
  const text = createMessageText('message-whole');
  const figures = el('dl', { class: 'message-facts' });
  const fact = (term) => {
    const value = createMessageText();
    const root = el('div', {}, el('dt', {}, term), el('dd', {}, value.root));
    figures.append(root);
    return (what) => {
      root.hidden = !what;
      value.set(what ?? '');
    };
  };
  const facts = {
    number: fact('Number'),
    time: fact('Time'),
    severity: fact('Severity'),
    origin: fact('Origin'),
    location: fact('Location'),
    type: fact('Type'),
    status: fact('Status'),
  };
  const root = el(
    'section',
    { class: 'message-details', 'aria-label': 'Chosen message', hidden: true },
    el('div', { class: 'message-head' }, figures, button('close', 'Close', close, { iconOnly: true, keys: 'Esc' })),
    el('p', { class: 'mono' }, text.root),
  );
  return {
    root,
    show(row) {
      root.hidden = row === null;
      if (row === null) return;
      const { n, message } = row;
      facts.number(count(n + 1));
      facts.time(messageTime(message.ticks, host.profile.ticksPerSecond));
      facts.severity(message.severity);
      facts.origin(message.origin_name ? `${message.origin_name} (${message.origin})` : message.origin);
      facts.location(message.location);
      facts.type(message.type);
      facts.status(message.status);
      text.set(message.text);
    },
  };
}

function create(host) {
  let rows = [];
  let asked = null; // what `rows` was filtered from and by
  let follows = host.place.message === '';
  let scrolledTo = 0;
  let revealed = ''; // the message that was scrolled to last

  const choose = (row) => host.go({ message: String(row.n) });
  const table = createTable('Messages', 'messages-table', {
    choose,
    sort: () => {},
    scroll() {
      // The list may be longer by now: only whoever scrolls up leaves the end.
      const top = table.root.scrollTop;
      follows = table.atEnd() || (follows && top >= scrolledTo);
      scrolledTo = top;
      host.redraw();
    },
  });

  const option = (value, text) => el('option', { value }, text);
  const severitySelect = el(
    'select',
    { class: 'select', onchange: () => host.go({ severity: severitySelect.value }, { replace: true }) },
    option('', 'all'),
    ...severities.slice(1).map((name) => option(name, `${name}${name === 'fatal' ? '' : ' and above'}`)),
  );
  const originSelect = el('select', {
    class: 'select',
    onchange: () => host.go({ origin: originSelect.value }, { replace: true }),
  });
  const followButton = button('down', 'Follow', () => follow(), { keys: 'f', tip: 'Stay at the newest message (f)' });
  const copyButton = button('table', 'Copy', () => copy(), { keys: 'c', tip: 'Copy what is listed as text (c)' });
  const toolbar = el(
    'div',
    { class: 'toolbar messages-bar' },
    el('label', {}, el('span', {}, 'Severity'), severitySelect),
    el('label', {}, el('span', {}, 'Origin'), originSelect),
    followButton,
    copyButton,
  );
  const nothing = el('p', { class: 'table-nothing', hidden: true });
  const status = el('p', { class: 'table-status' });
  const details = createDetails(host, () => back());
  const empty = createEmpty(() => host.device('start'));
  const body = el('div', { class: 'table-side' }, toolbar, table.root, nothing, details.root, status);
  const root = el('section', { class: 'view messages', 'aria-label': 'Messages' }, body, empty.root);

  function follow() {
    follows = !follows;
    if (follows) table.toEnd();
    host.redraw();
  }

  async function copy() {
    const done = await copyText(messageLines(rows, host.profile.ticksPerSecond));
    if (done) host.toast('ok', 'Copied', `${plural(rows.length, 'message')}, a line each.`);
    else host.toast('bad', 'Copy', 'The browser does not allow it here.');
  }

  let originsShown = '';
  function drawFilters() {
    const { messages } = host.profile;
    const list = origins(messages);
    const { origin, severity } = host.place;
    // An origin that a link names may not have said anything yet.
    if (origin !== '' && !list.some((one) => one.origin === origin)) list.push({ origin, name: origin, count: 0 });
    const now = JSON.stringify(list.map((one) => [one.origin, one.name]));
    if (now !== originsShown) {
      originsShown = now;
      originSelect.replaceChildren(
        option('', 'all'),
        ...list.map((one) => option(one.origin, one.name === one.origin ? one.name : `${one.name} (${one.origin})`)),
      );
    }
    originSelect.value = origin;
    severitySelect.value = severity;
    setAttr(followButton, 'aria-pressed', String(follows));
  }

  function listRows() {
    const { profile, place } = host;
    const now = [profile.sequence, profile, place.severity, place.origin, host.match];
    if (asked !== null && now.every((part, i) => part === asked[i])) return;
    asked = now;
    rows = filterMessages(profile, { least: place.severity, origin: place.origin }, host.match);
  }

  const chosenIndex = () => {
    const n = host.place.message === '' ? NaN : Number(host.place.message);
    return rows.findIndex((row) => row.n === n);
  };

  function update() {
    const { profile, place } = host;
    const all = profile.messages.length;
    body.hidden = all === 0;
    if (all === 0) {
      empty.tell(emptyStateOf('messages', profile, host.answers));
      return;
    }
    empty.hide();
    listRows();
    drawFilters();
    const chosen = rows[chosenIndex()] ?? null;
    details.show(chosen);
    const show = () =>
      table.show(rows, columns, {
        scale: profile.ticksPerSecond,
        marks: (row) => ({ 'aria-selected': row === chosen ? 'true' : null }),
      });
    show();
    if (follows && !table.atEnd()) {
      table.toEnd();
      show();
    }
    if (place.message !== revealed) {
      revealed = place.message;
      if (chosen !== null) {
        table.reveal(rows.indexOf(chosen));
        show();
      }
    }
    nothing.hidden = rows.length > 0;
    setText(
      nothing,
      host.match.error ? `Not a regular expression: ${host.match.error}` : 'No message is left by these filters.',
    );
    const gone = profile.messagesGone;
    setText(
      status,
      [
        rows.length === all ? plural(all, 'message') : `${count(rows.length)} of ${plural(all, 'message')}`,
        gone > 0 ? `${plural(gone, 'earlier one')} no longer kept` : '',
        profile.ticksPerSecond ? '' : ticksNote,
      ]
        .filter(Boolean)
        .join(' · '),
    );
  }

  function move(step) {
    const at = chosenIndex();
    const from = at < 0 ? (step > 0 ? -1 : rows.length) : at;
    const to = Math.min(Math.max(from + step, 0), rows.length - 1);
    if (rows[to] === undefined) return false;
    follows = false;
    host.go({ message: String(rows[to].n) }, { replace: true });
    return true;
  }

  function back() {
    if (host.place.message === '') return false;
    host.go({ message: '' });
    return true;
  }

  const group = 'Messages';
  const nextOf = (select) => {
    const list = [...select.options].map((one) => one.value);
    return list[(list.indexOf(select.value) + 1) % list.length];
  };
  return {
    root,
    update,
    back,
    summary: () => (host.match.empty ? '' : `${count(rows.length)} of ${count(host.profile.messages.length)}`),
    next: move,
    actions: [
      ...tableKeys(group, 'message', table, move),
      { keys: ['f'], label: 'Follow the newest message', group, run: follow },
      { keys: ['c'], label: 'Copy what is listed', group, run: copy },
      {
        keys: ['l'],
        label: 'Least severity shown',
        group,
        run: () => host.go({ severity: nextOf(severitySelect) }, { replace: true }),
      },
      {
        keys: ['o'],
        label: 'Whose messages',
        group,
        run: () => host.go({ origin: nextOf(originSelect) }, { replace: true }),
      },
    ],
  };
}

export const messages = { id: 'messages', title: 'Messages', create };
