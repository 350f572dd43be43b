// graph.js - the call graph: who calls the chosen function and whom it calls, as boxes and arrows.

import { button, el, setAttr, setText } from '../dom.js';
import { hottest, moreStep, neighbourhood } from '../model/callgraph.js';
import { callGraph, program } from '../model/edges.js';
import { cellDuration, compact, count, duration, percent, plural } from '../model/format.js';
import { arrange, extent, routes } from '../model/graphlayout.js';
import { shorten } from '../model/names.js';
import { formatPlace } from '../model/place.js';
import { explain, isPlaceholder } from '../model/placeholder.js';
import { functionRows } from '../model/table.js';
import { createEmpty } from '../part/empty.js';
import { createDrawing } from './graph/drawing.js';
import { createPan } from './graph/pan.js';

const nameLetters = { wide: 26, narrow: 20 };
const narrowPx = 600; // of the drawing: below it callers stand above and callees below
const depths = ['1', '2', '3'];

function create(host) {
  let known = { profile: null, sequence: -1, graph: null, rows: null }; // what is worked out of one snapshot
  let part = null; // the neighbourhood shown
  let layout = null;
  let ways = []; // of the arrows
  let fittedTo = null; // the layout that the window was fitted to
  let wantsFocus = null; // the box to be focused once it is drawn
  let drawnAs = ''; // centre, depth, more and size of the window that the drawing was fitted to
  let matches = { key: null, ids: new Set(), list: [] };

  const depthButtons = depths.map((depth) =>
    el('button', { type: 'button', onclick: () => host.go({ depth, more: [] }, { replace: true }) }, depth),
  );
  const whole = button('focus', 'Whole program', () => host.go({ fn: '', more: [] }), {
    keys: 'Esc',
    tip: 'From where the program begins (Esc)',
  });
  const hot = el('div', { class: 'graph-hot' });
  const say = el('p', { class: 'graph-say' });
  const toolbar = el(
    'div',
    { class: 'toolbar graph-bar' },
    el('span', { class: 'graph-term' }, 'Levels'),
    el('div', { class: 'choice', role: 'group', 'aria-label': 'Levels to each side' }, ...depthButtons),
    whole,
    hot,
    say,
    el(
      'div',
      { class: 'group', role: 'group', 'aria-label': 'Size' },
      el('button', { type: 'button', class: 'button', 'aria-label': 'Smaller', title: 'Smaller (-)', onclick: () => zoom(0.8) }, '−'),
      el('button', { type: 'button', class: 'button', title: 'All of it (0)', onclick: () => fit() }, 'Fit'),
      el('button', { type: 'button', class: 'button', 'aria-label': 'Larger', title: 'Larger (+)', onclick: () => zoom(1.25) }, '+'),
    ),
  );
  const drawing = createDrawing(open);
  const pan = createPan(drawing.svg, drawing.layer);
  const empty = createEmpty(() => host.device('start'));
  const body = el('div', { class: 'graph-body' }, toolbar, drawing.svg);
  const root = el('section', { class: 'view graph', 'aria-label': 'Call graph' }, body, empty.root);

  const isNarrow = () => drawing.svg.clientWidth > 0 && drawing.svg.clientWidth < narrowPx;

  const centreId = () => {
    const id = host.place.fn === '' ? -1 : host.profile.idOf(host.place.fn);
    return id < 0 ? program : id;
  };

  const placeOf = (box) =>
    box.more
      ? { more: [...host.place.more, String(box.level)] }
      : { fn: box.id === program ? '' : host.profile.labelOf(box.id), more: [] };

  function open(box) {
    const focused = drawing.focusedId() !== null;
    host.go(placeOf(box));
    if (focused) wantsFocus = box.more ? 'near' : box.id;
  }

  function zoom(factor) {
    pan.zoom(factor);
    return true;
  }

  function boxAt(id) {
    const { x, y } = layout.at.get(id);
    return { x, y, ...layout.box };
  }

  function fit() {
    pan.fit(extent(ways, layout), boxAt(part.centre));
    return true;
  }

  function learn() {
    const { profile } = host;
    if (known.profile === profile && known.sequence === profile.sequence) return;
    const rows = new Map(functionRows(profile).map((row) => [row.fn.id, row]));
    known = { profile, sequence: profile.sequence, graph: callGraph(profile), rows };
    known.heaviest = known.graph.counted
      ? (id) => known.rows.get(id)?.fn.samples ?? 0
      : (id) => known.rows.get(id)?.fn.total_ticks ?? 0;
  }

  function learnMatches() {
    const key = [host.match, known.graph];
    if (matches.key !== null && key.every((one, i) => one === matches.key[i])) return;
    const list = host.match.empty
      ? []
      : [...known.rows.values()]
          .filter(({ fn }) => !isPlaceholder(fn) && host.match.test(fn.name))
          .map(({ fn }) => fn.id)
          .sort((a, b) => known.heaviest(b) - known.heaviest(a) || a - b);
    matches = { key, list, ids: new Set(list) };
  }

  const weightText = ({ calls, ticks }) => {
    const { ticksPerSecond } = host.profile;
    const times = `${compact(calls)} ×`;
    return ticks === null ? times : `${cellDuration(ticks, ticksPerSecond)} · ${times}`;
  };
  const weightWords = ({ calls, ticks }) =>
    [ticks === null ? '' : duration(ticks, host.profile.ticksPerSecond), plural(calls, 'call')].filter(Boolean).join(', ');

  function aboutBox(box) {
    const href = formatPlace({ ...host.place, ...placeOf(box) });
    const none = { total: null, self: null, calls: '', figures: '', href };
    if (box.more) {
      const what = box.level < 0 ? 'callers' : 'callees';
      const arrow = part.arrows.filter(({ from, to }) => from === box.id || to === box.id);
      const ticks = arrow.every((one) => one.ticks === null) ? null : arrow.reduce((sum, one) => sum + (one.ticks ?? 0), 0);
      const calls = arrow.reduce((sum, one) => sum + one.calls, 0);
      const label = `${count(box.more)} more ${what}, ${weightWords({ calls, ticks })}. Show more.`;
      return { ...none, name: `${count(box.more)} more …`, figures: weightText({ calls, ticks }), label, title: label };
    }
    if (box.id === program) {
      const label = 'The whole program: all that nobody calls that is profiled';
      return { ...none, name: 'The program', figures: 'all that is profiled', label, title: label };
    }
    const { fn, selfShare, totalShare, sampleShare } = known.rows.get(box.id) ?? {
      fn: host.profile.functions[box.id],
      selfShare: null,
      totalShare: null,
      sampleShare: null,
    };
    const sampled = totalShare === null && sampleShare !== null;
    const figures = sampled
      ? `${percent(sampleShare)} of samples`
      : totalShare === null
        ? ''
        : `${percent(totalShare)} · self ${percent(selfShare)}`;
    const words = [
      fn.name,
      sampled ? `${percent(sampleShare)} of samples` : '',
      totalShare === null ? '' : `total ${percent(totalShare)}, self ${percent(selfShare)}`,
      fn.calls === null ? '' : plural(fn.calls, 'call'),
    ];
    const toCentre = part.arrows.find(
      ({ from, to }) => from !== to && ((from === box.id && to === part.centre) || (to === box.id && from === part.centre)),
    );
    if (toCentre) words.push(`${toCentre.from === box.id ? 'calls' : 'called by'} the centre: ${weightWords(toCentre)}`);
    return {
      href,
      name: shorten(fn.name, layout.narrow ? nameLetters.narrow : nameLetters.wide),
      figures,
      calls: fn.calls === null || layout.narrow ? '' : `${compact(fn.calls)} ×`,
      total: totalShare,
      self: selfShare ?? sampleShare,
      label: words.filter(Boolean).join(', '),
      title: [words.filter(Boolean).join('\n'), explain(fn)].filter(Boolean).join('\n'),
      marks: {
        'data-placeholder': isPlaceholder(fn) ? '' : null,
        'data-hit': matches.ids.has(box.id) ? '' : null,
      },
    };
  }

  const nameOf = (id) =>
    id === program ? 'The program' : typeof id === 'string' ? 'others' : (host.profile.functions[id]?.name ?? '');

  /** Lays the arrows, and answers what tells about one. */
  function layArrows() {
    const weight = (arrow) => arrow.ticks ?? arrow.calls;
    const most = Math.max(...part.arrows.map(weight), 1);
    const dim = (id) => typeof id === 'number' && id >= 0 && isPlaceholder(host.profile.functions[id]);
    ways = routes(part.arrows, layout, weightText);
    return (arrow) => ({
      text: weightText(arrow),
      title: `${nameOf(arrow.from)} → ${nameOf(arrow.to)}\n${weightWords(arrow)}`,
      share: weight(arrow) / most,
      marks: { 'data-dim': dim(arrow.from) || dim(arrow.to) ? '' : null },
    });
  }

  function drawToolbar(centre) {
    depths.forEach((depth, i) => setAttr(depthButtons[i], 'aria-pressed', String(host.place.depth === depth)));
    whole.hidden = host.place.fn === '';
    const suggested = centre === program ? hottest(host.profile) : [];
    const key = suggested.map((id) => host.profile.functions[id].name).join('\n');
    if (hot.dataset.key !== key) {
      hot.dataset.key = key;
      hot.replaceChildren(
        ...(suggested.length > 0 ? [el('span', { class: 'graph-term' }, 'Hottest')] : []),
        ...suggested.map((id) =>
          el(
            'button',
            { type: 'button', class: 'button small mono', title: host.profile.functions[id].name, onclick: () => open({ id }) },
            shorten(host.profile.functions[id].name, nameLetters.wide),
          ),
        ),
      );
    }
    const { graph } = known;
    const alone = part.columns.length === 1;
    setText(
      say,
      host.place.fn !== '' && centre === program
        ? `“${host.place.fn}” is not in this profile; this is all of it.`
        : alone
          ? 'Nothing that is profiled calls it or is called by it.'
          : graph.counted
            ? 'Calls are counted arcs; this target tells no times.'
            : '',
    );
    say.hidden = say.textContent === '';
  }

  function update() {
    learn();
    const { graph, rows } = known;
    body.hidden = rows.size === 0;
    if (rows.size === 0) {
      empty.show(host.profile, host.answers);
      return;
    }
    empty.hide();
    learnMatches();
    const centre = centreId();
    const more = new Map();
    for (const level of host.place.more) more.set(Number(level), (more.get(Number(level)) ?? 0) + moreStep);
    const asked = `${centre} ${host.place.depth} ${host.place.more.join()}`;
    const before = part !== null && part.asked === asked ? part : null;
    part = { ...neighbourhood(graph, centre, { depth: Number(host.place.depth), more }, before), asked };
    layout = arrange(part, layout, isNarrow());
    drawToolbar(centre);
    const aboutArrow = layArrows();
    const lost = drawing.show(part.columns, layout, ways, aboutBox, aboutArrow);
    const { clientWidth, clientHeight } = drawing.svg;
    const view = `${asked} ${clientWidth} ${clientHeight}`;
    if (view !== drawnAs || (!pan.moved() && fittedTo !== layout)) {
      drawnAs = view;
      fittedTo = layout;
      fit();
    }
    if (wantsFocus !== null || lost) {
      drawing.focus(layout.at.has(wantsFocus) ? wantsFocus : centre);
      wantsFocus = null;
      if (drawing.focusedId() !== null) pan.reveal(boxAt(drawing.focusedId()));
    }
  }

  function focusOn(id) {
    drawing.focus(id);
    pan.reveal(boxAt(id));
    return true;
  }

  /** Along the heaviest arrow to that side; where there is none, to the nearest box there. */
  function along(side) {
    const from = drawing.focusedId();
    if (from === null) return focusOn(part.centre);
    const { grid } = layout;
    const here = grid.get(from);
    const beyond = (id) => side * (grid.get(id).x - here.x) > 0;
    const weight = (arrow) => (arrow.ticks ?? 0) + arrow.calls * 1e-9;
    const [along] = part.arrows
      .map((arrow) => ({ arrow, other: arrow.from === from ? arrow.to : arrow.to === from ? arrow.from : null }))
      .filter(({ other }) => other !== null && other !== from && beyond(other))
      .sort((a, b) => weight(b.arrow) - weight(a.arrow));
    if (along) return focusOn(along.other);
    const far = (id) => Math.abs(grid.get(id).x - here.x) * 1000 + Math.abs(grid.get(id).y - here.y);
    const [nearest] = [...grid.keys()].filter(beyond).sort((a, b) => far(a) - far(b));
    return nearest === undefined ? true : focusOn(nearest);
  }

  /** Within a column, or a row in a narrow window. */
  function across(step) {
    const from = drawing.focusedId();
    if (from === null) return focusOn(part.centre);
    const here = layout.grid.get(from);
    const column = [...layout.grid].filter(([, at]) => at.x === here.x).sort(([, a], [, b]) => a.y - b.y);
    const to = column[column.findIndex(([id]) => id === from) + step];
    return to === undefined ? true : focusOn(to[0]);
  }

  /** The function that keys speak of: the focused box, else the centre. */
  function current() {
    const focused = drawing.focusedId();
    const id = typeof focused === 'number' ? focused : part?.centre;
    return id === undefined || id === program ? '' : host.profile.labelOf(id);
  }

  function lead(view) {
    const fn = current();
    if (fn === '') return false;
    host.go({ view, fn });
    return true;
  }

  function next(step) {
    const { list } = matches;
    if (list.length === 0) return false;
    const at = list.indexOf(part?.centre);
    const to = list[at < 0 ? 0 : (at + step + list.length) % list.length];
    host.go({ fn: host.profile.labelOf(to), more: [] }, { replace: true });
    return true;
  }

  function back() {
    if (host.place.fn === '') return false;
    host.go({ fn: '', more: [] });
    return true;
  }

  const group = 'Graph';
  const drawn = (run) => (event) => (layout === null || body.hidden ? false : run(event));
  const arrows = () =>
    layout?.narrow
      ? { callers: 'ArrowUp', callees: 'ArrowDown', before: 'ArrowLeft', after: 'ArrowRight', words: 'to the left, right' }
      : { callers: 'ArrowLeft', callees: 'ArrowRight', before: 'ArrowUp', after: 'ArrowDown', words: 'above, below' };
  return {
    root,
    update,
    back,
    next,
    summary() {
      if (host.match.empty || part === null) return '';
      const shown = matches.list.filter((id) => layout.at.has(id)).length;
      return `${plural(matches.list.length, 'function')}, ${count(shown)} here`;
    },
    get actions() {
      const { callers, callees, before, after, words } = arrows();
      return [
        { keys: [callers], label: 'To the heaviest caller', group, run: drawn(() => along(-1)) },
        { keys: [callees], label: 'To the heaviest callee', group, run: drawn(() => along(1)) },
        {
          keys: [before, after],
          label: `To the box ${words}`,
          group,
          run: drawn((event) => across(event.key === after ? 1 : -1)),
        },
        { keys: ['Enter'], label: 'Make the focused box the centre', group, run: () => false },
        {
          keys: ['d'],
          label: 'One, two, three levels',
          group,
          run: () => host.go({ depth: depths[Number(host.place.depth) % 3], more: [] }, { replace: true }),
        },
        {
          keys: ['+', '-'],
          label: 'Larger, smaller',
          group,
          run: drawn((event) => zoom(event.key === '+' ? 1.25 : 0.8)),
        },
        { keys: ['0'], label: 'Fit into the window', group, run: drawn(fit) },
        { keys: ['g'], label: 'Show in Functions', group, run: () => lead('functions') },
        ...(host.views.includes('source')
          ? [{ keys: ['s'], label: 'Show the source', group, run: () => lead('source') }]
          : []),
      ];
    },
  };
}

export const graph = { id: 'graph', title: 'Graph', create };
