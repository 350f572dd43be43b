// sandwich.js - one function between those who call it and those it calls, with how long its calls took.

import { button, el, setAttr, setText, setWidth } from '../../dom.js';
import { count, duration, percent, place as sourcePlace, plural } from '../../model/format.js';
import { histogramBars } from '../../model/histogram.js';
import { explain } from '../../model/placeholder.js';

const askEveryMs = 1000;
const bars = 44;
const estimatedNote =
  'Calls and samples are counted. The times of callers and callees are an estimate: a function’s samples, ' +
  'shared out among its callers by their calls.';

function edgeList(title, choose) {
  const heading = el('h2', { class: 'part-title' }, title);
  const list = el('ul', { class: 'edges' });
  const none = el('p', { class: 'edges-none' });
  const rows = [];
  return {
    root: el('section', { class: 'edge-part' }, heading, list, none),
    /** entries: [{ id, name, calls, ticks, own }] */
    show(entries, whole, noneText, ticksPerSecond) {
      entries.forEach((entry, i) => {
        if (rows[i] === undefined) {
          const name = el('span', { class: 'edge-name mono' });
          const calls = el('span', { class: 'edge-calls' });
          const time = el('span', { class: 'edge-time' });
          const share = el('span', { class: 'edge-share' });
          const fill = el('span', { class: 'share-fill', 'aria-hidden': 'true' });
          const press = el(
            'button',
            { type: 'button', onclick: () => rows[i].id >= 0 && choose(rows[i].id) },
            fill,
            name,
            calls,
            time,
            share,
          );
          rows[i] = { item: el('li', {}, press), press, name, calls, time, share, fill, id: -1 };
          list.append(rows[i].item);
        }
        const row = rows[i];
        row.id = entry.id;
        row.item.hidden = false;
        row.press.disabled = entry.own === true;
        setText(row.name, entry.name);
        setAttr(row.press, 'title', entry.name);
        setText(row.calls, entry.own ? '' : `${count(entry.calls)} ×`);
        setText(row.time, duration(entry.ticks, ticksPerSecond));
        const part = whole > 0 && entry.ticks !== null ? entry.ticks / whole : NaN;
        setText(row.share, percent(part));
        setWidth(row.fill, part);
      });
      for (let i = entries.length; i < rows.length; i++) rows[i].item.hidden = true;
      none.hidden = entries.length > 0;
      setText(none, noneText);
      setText(
        heading,
        entries.length > 0 ? `${title} (${entries.filter((entry) => !entry.own).length})` : title,
      );
    },
  };
}

const [labelPx, labelRowPx] = [26, 14]; // what the label of a percentile takes

function createHistogram() {
  const title = el('h2', { class: 'part-title' }, 'Durations');
  const plot = el('div', { class: 'histogram-plot', role: 'img' });
  const columns = Array.from({ length: bars }, () => {
    const fill = el('span');
    plot.append(el('span', { class: 'histogram-bar' }, fill));
    return fill;
  });
  const marks = ['p50', 'p90', 'p99'].map((name) => {
    const mark = el('span', { class: 'histogram-mark' }, el('span', {}, name));
    plot.append(mark);
    return mark;
  });
  const low = el('span');
  const high = el('span');
  const none = el('p', { class: 'edges-none' }, 'No completed call has been timed.');
  const axis = el('div', { class: 'histogram-axis', 'aria-hidden': 'true' }, low, high);
  return {
    root: el('section', { class: 'histogram' }, title, plot, axis, none),
    show(fn, ticksPerSecond) {
      const list = histogramBars(fn.histogram, bars);
      plot.hidden = axis.hidden = list.length === 0;
      none.hidden = list.length > 0;
      if (list.length === 0) return;
      columns.forEach((column, i) => {
        column.parentElement.hidden = i >= list.length;
      });
      const most = Math.max(...list.map((bar) => bar.count));
      const time = (ticks) => duration(ticks, ticksPerSecond);
      list.forEach((bar, i) => {
        // Few calls are still calls: what is not nothing is at least a pixel or two high.
        columns[i].style.height = bar.count > 0 ? `max(2px, ${((bar.count / most) * 100).toFixed(1)}%)` : '0';
        setAttr(
          columns[i].parentElement,
          'title',
          `${time(bar.low)} to ${time(bar.high)}: ${plural(Math.round(bar.count), 'call')}`,
        );
      });
      const first = Math.log1p(list[0].low);
      const all = Math.log1p(list.at(-1).high) - first;
      let before = { end: -Infinity, row: 0 }; // of the label drawn last: where it ends in px, and its row
      [fn.p50_ticks, fn.p90_ticks, fn.p99_ticks].forEach((ticks, i) => {
        const at = ticks === null || ticks === undefined ? NaN : (Math.log1p(ticks) - first) / all;
        marks[i].hidden = !(at >= 0 && at <= 1);
        marks[i].style.left = `${(at * 100).toFixed(2)}%`;
        const x = at * plot.clientWidth;
        const row = x < before.end ? before.row + 1 : 0; // a label does not cover the one before
        marks[i].firstChild.style.top = `${row * labelRowPx - 1}px`;
        if (!marks[i].hidden) before = { end: x + labelPx, row };
        setAttr(marks[i], 'title', `${['p50', 'p90', 'p99'][i]}: ${time(ticks)}`);
      });
      setText(low, time(list[0].low));
      setText(high, time(list.at(-1).high - 1));
      setAttr(
        plot,
        'aria-label',
        `Durations from ${time(list[0].low)} to ${time(list.at(-1).high - 1)}; half of the calls took ` +
          `${time(fn.p50_ticks)} or less, 99 of 100 took ${time(fn.p99_ticks)} or less.`,
      );
    },
  };
}

export function createSandwich(host) {
  let id = -1;
  let known = null; // the last answer about `id`
  let askedAt = -Infinity;
  let askedFor = -1;
  let asking = false;
  let trouble = '';

  const choose = (other) => host.go({ fn: host.profile.labelOf(other) });
  const name = el('h2', { class: 'sandwich-name mono' });
  const where = el('p', { class: 'sandwich-place' });
  const note = el('p', { class: 'sandwich-note' });
  const close = button('close', 'Close', () => host.go({ fn: '' }), { iconOnly: true, keys: 'Esc' });
  const toFlameButton = button('zoom', 'In flame graph', () => toFlame(), { keys: 'g' });
  const toSourceButton = button('code', 'Source', () => toSource(), { keys: 's' });
  toSourceButton.hidden = !host.views.includes('source');
  const stats = el('dl', { class: 'stats' });
  const stat = (term, tip) => {
    const value = el('dd');
    const root = el('div', { title: tip }, el('dt', {}, term), value);
    stats.append(root);
    return { root, value };
  };
  const figures = {
    total: stat('Total', 'With everything it calls'),
    self: stat('Self', 'Without what it calls'),
    samples: stat('Samples', 'Times the sampling interrupt met the function'),
    calls: stat('Calls', 'Completed calls'),
    mean: stat('Mean', 'Of one call'),
    min: stat('Min', 'Shortest call'),
    p50: stat('p50', 'Half of the calls took no longer'),
    p99: stat('p99', '99 of 100 calls took no longer'),
    max: stat('Max', 'Longest call'),
  };
  const callers = edgeList('Called by', choose);
  const callees = edgeList('Calls', choose);
  const histogram = createHistogram();
  const root = el(
    'section',
    { class: 'sandwich', 'aria-label': 'Chosen function', hidden: true },
    callers.root,
    el(
      'section',
      { class: 'sandwich-middle' },
      el(
        'div',
        { class: 'sandwich-head' },
        el('div', {}, name, where),
        el('div', { class: 'sandwich-acts' }, toFlameButton, toSourceButton, close),
      ),
      note,
      stats,
    ),
    callees.root,
    histogram.root,
  );

  /** In an estimate a sample is a tick. */
  const ownTicks = (fn) => fn.self_ticks ?? (host.profile.treeEstimated ? (fn.samples ?? 0) : null);

  /** What is asked about: the function, and the range that its figures are of. */
  const subject = () => `${id} ${host.range?.from}-${host.range?.to}`;

  async function ask() {
    asking = true;
    askedAt = performance.now();
    askedFor = subject();
    const about = askedFor;
    try {
      const answer = await host.fetchFunction(id, host.range);
      if (about === subject()) {
        known = answer;
        trouble = '';
      }
    } catch (error) {
      if (about === subject()) trouble = error.message;
    }
    asking = false;
    host.redraw();
  }

  function toFlame() {
    if (id < 0) return false;
    const text = host.profile.functions[id].name;
    host.go({ view: 'flame', search: text, zoom: [] });
    return true;
  }

  function toSource() {
    if (id < 0) return false;
    host.go({ view: 'source', row: '' });
    return true;
  }

  function update() {
    const now = host.profile.idOf(host.place.fn);
    root.hidden = host.place.fn === '' || now < 0;
    if (root.hidden) {
      id = -1;
      known = null;
      return;
    }
    if (now !== id) {
      id = now;
      known = null;
      trouble = '';
      root.scrollTop = 0;
    }
    // What is paused or of a range does not change.
    const still = host.paused || (host.range ?? null) !== null;
    const due = performance.now() - askedAt > askEveryMs && (known === null || !still);
    if (!asking && (due || askedFor !== subject()) && host.answers) ask();
    draw();
  }

  function draw() {
    const { ticksPerSecond } = host.profile;
    const fn = host.profile.functions[id];
    setText(name, fn.name);
    setText(
      where,
      [sourcePlace(fn), fn.address, fn.size ? `${count(fn.size)} B` : ''].filter(Boolean).join(' · '),
    );
    setText(note, explain(fn) || trouble || (host.profile.treeEstimated ? estimatedNote : ''));
    note.hidden = note.textContent === '';
    const time = (ticks) => duration(ticks, ticksPerSecond);
    const show = ({ root: figure, value }, number, format) => {
      figure.hidden = number === null || number === undefined;
      setText(value, format(number));
    };
    for (const what of ['total', 'self', 'mean', 'min', 'p50', 'p99', 'max'])
      show(figures[what], fn[`${what}_ticks`], time);
    show(figures.calls, fn.calls, count);
    show(figures.samples, host.profile.samples?.total > 0 ? fn.samples : null, count);
    const entry = (row) => ({ id: row.id, name: row.name, calls: row.calls, ticks: row.total_ticks });
    const heaviest = (a, b) => b.ticks - a.ticks || b.calls - a.calls;
    const above = (known?.callers ?? []).map(entry).sort(heaviest);
    const under = (known?.callees ?? []).map(entry);
    if (under.length > 0)
      under.push({ id: -1, name: 'its own code', calls: null, ticks: ownTicks(fn), own: true });
    const sum = (list) => list.reduce((all, one) => all + (one.ticks ?? 0), 0);
    const loading = known === null && trouble === '';
    callers.show(
      above,
      sum(above),
      loading ? 'Loading …' : 'Nothing: it is where a stack begins.',
      ticksPerSecond,
    );
    callees.show(
      under.sort(heaviest),
      sum(under),
      loading ? 'Loading …' : 'Nothing that is profiled.',
      ticksPerSecond,
    );
    histogram.root.hidden = known === null || fn.max_ticks === null;
    if (known !== null) histogram.show({ ...known, ...pick(fn) }, ticksPerSecond);
  }

  const pick = (fn) => ({ p50_ticks: fn.p50_ticks, p90_ticks: fn.p90_ticks, p99_ticks: fn.p99_ticks });

  return { root, update, toFlame, toSource, open: () => !root.hidden };
}
