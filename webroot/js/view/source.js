// source.js - the chosen function as it was written and as it runs: its source lines beside its instructions.

import { el, setAttr, setText } from '../dom.js';
import { count, plural } from '../model/format.js';
import { formatPlace } from '../model/place.js';
import { stepMatch } from '../model/search.js';
import { hottest, Listing, sampleText } from '../model/source.js';
import { createEmpty } from '../part/empty.js';
import { createOffer } from './source/chooser.js';
import { createSourceBar } from './source/bar.js';
import { createPanes } from './source/panes.js';
import { tableKeys } from '../part/table.js';

const askEveryMs = 2000;
const offeredMost = 30;
const nothing = new Listing({});
const none = { line: -1, code: [], chosen: -1 };

/** How far a listing goes, in words. */
function extent({ lines, code, answer, hasSamples, samples }) {
  const all = lines.filter(({ kind }) => kind === 'line').length;
  return [
    all > 0 ? plural(all, 'line') : '',
    code.length > 0 ? plural(code.length, 'instruction') : '',
    code.length > 0 && answer.size ? `${count(answer.size)} bytes` : '',
    hasSamples && all + code.length > 0 ? plural(Math.round(samples), 'sample') : '',
  ].filter(Boolean);
}

function create(host) {
  let known = nothing; // the listing shown
  let about = ''; // what it is of: changes with the function and with the ELF
  let wanted = ''; // the same of what is to be shown
  let asking = '';
  let askedAt = -Infinity;
  let trouble = '';
  let near = none; // rows under the pointer
  let revealed = ''; // what was last scrolled to
  let marked = { key: '', rows: [] };

  const bar = createSourceBar(host, { choose, turn, place });
  const panes = createPanes(() => known, {
    choose: (pane, index) => {
      if (host.place.pane !== pane) host.go({ pane }, { replace: true });
      select(pane, index);
    },
    hover(pane, index) {
      near = index < 0 ? none : known.rowsOf(known.nameOf(pane, index));
      host.redraw();
    },
    scroll: () => host.redraw(),
    follow,
    jump: (index) => select('code', index, { replace: false }),
    addressOf: (target) => formatPlace({ ...host.place, fn: host.profile.labelOf(target.function), row: '' }),
  });
  const notes = { source: el('p', { class: 'source-note' }), code: el('p', { class: 'source-note' }) };
  const half = (pane) =>
    el(
      'section',
      { class: 'source-half', 'data-pane': pane, 'aria-label': pane === 'code' ? 'Instructions' : 'Lines' },
      notes[pane],
      panes.tables[pane].root,
    );
  const halves = [half('source'), half('code')];
  const status = el('p', { class: 'table-status', role: 'status' });
  const both = el('div', { class: 'source-halves' }, ...halves);
  const offer = createOffer(choose);
  const empty = createEmpty(() => host.device('start'));
  const body = el('div', { class: 'source-body' }, bar.root, offer.root, both, status);
  const root = el('section', { class: 'view source', 'aria-label': 'Source' }, body, empty.root);

  /** The half that keys move in; without lines to show that is the instructions, whatever was asked for. */
  function pane() {
    return known.lines.length === 0 && known.code.length > 0 ? 'code' : host.place.pane;
  }

  // --- what is asked for
  // ------------------------------------------------------------------------------------------------------

  function identity(id) {
    const fn = host.profile.functions[id];
    const { elf } = host.profile.source;
    return JSON.stringify([id, fn.name, fn.address, fn.size, fn.file, elf?.path, elf?.functions, elf?.state]);
  }

  async function ask(id, key) {
    asking = key;
    askedAt = performance.now();
    try {
      const answer = await host.fetchSource(id);
      if (asking === key) {
        known = new Listing(answer);
        about = key;
        trouble = '';
        marked = { key: '', rows: [] };
      }
    } catch (error) {
      if (asking === key) {
        trouble = error.message;
        if (about !== key) known = nothing;
      }
    }
    if (asking === key) asking = '';
    host.redraw();
  }

  /** Asks for what is not known; anew where samples grow. */
  function keepUp(id) {
    const key = identity(id);
    if (key !== wanted) trouble = '';
    wanted = key;
    const isOld = performance.now() - askedAt > askEveryMs;
    const grows = about === key && known.hasSamples && !host.paused;
    const isMissing = about !== key && (trouble === '' || isOld);
    if (!host.answers || asking === key) return;
    if (isMissing || (grows && isOld)) ask(id, key);
  }

  // --- where the reader is
  // ----------------------------------------------------------------------------------------------------

  function choose(id) {
    host.go({ fn: host.profile.labelOf(id), row: '' });
  }

  function select(pane, index, { replace = true } = {}) {
    const row = known.nameOf(pane, index);
    if (row !== '') host.go({ row, pane }, { replace });
  }

  /** The rows of place.row; asked for anew each time, since keys come faster than frames. */
  const atPlace = () => (host.place.row === '' ? none : known.rowsOf(host.place.row));

  function selected(pane, chosen = atPlace()) {
    if (pane === 'source') return chosen.line;
    return chosen.chosen >= 0 ? chosen.chosen : (chosen.code[0] ?? -1);
  }

  function turn(pane) {
    host.go({ pane }, { replace: true });
  }

  function move(step) {
    const from = selected(pane());
    const to = known.next(pane(), from, from < 0 && step < 0 ? 1 : step);
    if (to < 0) return false;
    select(pane(), to);
    return true;
  }

  function follow(target) {
    if (target?.function === null || target === null) return false;
    host.go({ fn: host.profile.labelOf(target.function), row: '' });
    return true;
  }

  /** Enter: to the function called, or along the branch. */
  function enter() {
    const chosen = atPlace();
    const indices = chosen.chosen >= 0 ? [chosen.chosen] : chosen.code;
    const branch = known.code[chosen.chosen]?.into ?? -1;
    if (branch >= 0) {
      select('code', branch, { replace: false });
      return true;
    }
    return follow(known.callIn(indices));
  }

  function listMarks() {
    const key = [pane(), host.place.search, about, askedAt].join('|');
    if (marked.key !== key) marked = { key, rows: known.marks(pane(), host.match) };
    return marked.rows;
  }

  /** What there is to choose from while no function is chosen. */
  const offered = () => hottest(host.profile).filter(({ fn }) => host.match.empty || host.match.test(fn.name));

  /** The next match of the search; without one the next hottest row. While no function is chosen, the hottest. */
  function next(step) {
    if (!offer.root.hidden) {
      const [first] = offered();
      if (first !== undefined) choose(first.id);
      return first !== undefined;
    }
    const rows = listMarks();
    if (rows.length === 0) return false;
    const at = rows.indexOf(selected(pane()));
    select(pane(), rows[stepMatch(at, step, rows.length)]);
    return true;
  }

  function place() {
    return known.placeOf(pane(), selected(pane())) ?? known.placeOf('source', -1);
  }

  function toFunctions() {
    if (host.place.fn === '') return false;
    host.go({ view: 'functions' });
    return true;
  }

  function back() {
    if (host.place.row !== '') {
      host.go({ row: '' }, { replace: true });
      return true;
    }
    if (host.place.fn === '') return false;
    host.go({ fn: '' });
    return true;
  }

  // --- drawing
  // ----------------------------------------------------------------------------------------------------------------

  /** What cannot be shown, in words. */
  function drawNotes() {
    const { reason = {}, left_out: leftOut = 0 } = known.answer;
    const changed = known.changed();
    const say = (pane, text, level) => {
      setText(notes[pane], text);
      setAttr(notes[pane], 'data-level', level);
      notes[pane].hidden = text === '';
      panes.tables[pane].root.hidden = (pane === 'code' ? known.code : known.lines).length === 0;
    };
    const loading = about === '' && trouble === '' ? 'Loading …' : trouble;
    const warning =
      changed.length > 0
        ? `${changed.join(', ')} changed after the ELF was linked: lines may have moved. Build anew to be sure.`
        : '';
    say('source', loading || reason.source || warning, reason.source || trouble ? 'plain' : 'warn');
    // What both halves lack is said once.
    const same = known.lines.length === 0 && reason.source === reason.disassembly;
    const more =
      leftOut > 0 ? `The function goes on: ${count(leftOut)} more bytes of code are not shown.` : '';
    say('code', loading || same ? '' : reason.disassembly || more, 'plain');
    halves[1].hidden = same && known.code.length === 0;
    setAttr(both, 'data-only', known.lines.length === 0 && known.code.length > 0 ? 'code' : null);
    for (const one of halves) setAttr(one, 'data-current', one.dataset.pane === pane() ? '' : null);
  }

  function drawStatus() {
    const inCode = pane() === 'code';
    const row = (inCode ? known.code : known.lines)[selected(pane())];
    const parts = [];
    if (row === undefined) {
      parts.push(...extent(known));
    } else if (inCode) {
      parts.push(`${row.address}: ${row.text}`);
    } else {
      parts.push(
        `line ${row.line}`,
        row.instructions > 0 ? plural(row.instructions, 'instruction') : 'no instructions',
      );
    }
    if (row?.samples > 0) parts.push(`${sampleText(row.samples)} samples`);
    if (known.answer.bin_bytes > 1)
      parts.push(
        `samples are told for ${count(known.answer.bin_bytes)} bytes of code together, and shared out`,
      );
    setText(status, parts.join(' · '));
    status.hidden = parts.length === 0;
  }

  const marksOf = (pane) => {
    const chosen = atPlace();
    const own = (rows) => new Set(pane === 'code' ? rows.code : rows.line < 0 ? [] : [rows.line]);
    const linked = own(chosen);
    const hovered = own(near);
    const one = host.place.row === '' ? -1 : selected(pane);
    const found = host.match.empty ? new Set() : new Set(known.marks(pane, host.match));
    return (index) => ({
      'aria-selected': index === one && (pane === 'source' || chosen.chosen >= 0) ? 'true' : null,
      'data-linked': linked.has(index) ? '' : null,
      'data-near': hovered.has(index) ? '' : null,
      'data-found': found.has(index) ? '' : null,
    });
  };

  /** Brings both halves to what was chosen, once. */
  function reveal() {
    const key = `${about}|${host.place.row}`;
    if (key === revealed || about === '') return;
    revealed = key;
    for (const pane of ['source', 'code']) {
      const index = selected(pane);
      if (host.place.row === '' && index < 0) panes.tables[pane].root.scrollTop = 0;
      else if (index >= 0) panes.tables[pane].reveal(index);
    }
  }

  function update() {
    const { profile } = host;
    body.hidden = profile.functions.length === 0;
    if (body.hidden) {
      empty.show(profile, host.answers);
      return;
    }
    empty.hide();
    const id = profile.idOf(host.place.fn);
    const isChosen = host.place.fn !== '' && id >= 0;
    offer.root.hidden = isChosen;
    both.hidden = status.hidden = !isChosen;
    if (!isChosen) {
      known = nothing;
      about = '';
      bar.show('', false);
      const list = offered();
      offer.show(
        host.place.fn === '' ? 'Which function?' : `There is no function “${host.place.fn}” in this profile.`,
        list.length > 0
          ? `${host.match.empty ? 'The' : 'Matches of the search, the'} hottest first. Elsewhere, s on a function leads here.`
          : host.match.empty
            ? 'No function has an address yet that could be looked up.'
            : 'No function with an address matches the search.',
        list.slice(0, offeredMost),
      );
      return;
    }
    if (about !== identity(id) && known !== nothing && known.answer.id !== id) {
      known = nothing;
      about = '';
      near = none;
    }
    keepUp(id);
    drawNotes();
    bar.show(profile.functions[id].name, !halves[1].hidden && both.dataset.only === undefined);
    panes.show(marksOf);
    reveal();
    panes.show(marksOf);
    drawStatus();
  }

  const group = 'Source';
  const table = {
    rows: () => (pane() === 'code' ? known.code : known.lines),
    pageRows: () => panes.tables[pane()].pageRows(),
  };
  return {
    root,
    update,
    back,
    next,
    summary() {
      if (host.match.empty) return '';
      return offer.root.hidden ? plural(listMarks().length, 'row') : plural(offered().length, 'function');
    },
    actions: [
      ...tableKeys(group, 'row', table, move),
      {
        keys: ['ArrowLeft', 'ArrowRight'],
        label: 'Source, instructions',
        group,
        run: (event) => turn(event.key === 'ArrowRight' ? 'code' : 'source'),
      },
      { keys: ['Enter'], label: 'Go where the call or branch goes', group, run: enter },
      { keys: ['o'], label: 'Open in the editor', group, run: bar.openEditor },
      { keys: ['Shift+O'], label: 'Choose the editor', group, run: bar.chooseEditor },
      { keys: ['y'], label: 'Copy file and line', group, run: bar.copy },
      { keys: ['c'], label: 'Choose the function', group, run: bar.focus },
      { keys: ['g'], label: 'Open in Functions', group, run: toFunctions },
    ],
  };
}

export const source = { id: 'source', title: 'Source', create };
