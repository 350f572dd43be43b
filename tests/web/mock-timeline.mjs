// mock-timeline.mjs - keeps the single calls of the simulated firmware and answers as the daemon's timeline does:
// merged for the screen's resolution, cut to a range, with gaps and markers.

const keptMost = 400000;

const kinds = [undefined, 'preempted', 'blocked'];

/** Returns one number for context, depth and kind. A string for each call took most of this mock's processor time. */
const laneNumber = ({ context, depth, kind }) => (context * 65536 + depth) * kinds.length + kinds.indexOf(kind);

export class Calls {
  constructor() {
    this.clear();
  }

  clear() {
    this.list = []; // { start, duration, fn, depth, context, row }, in the order in which they returned
    this.away = []; // { start, duration, kind, context, depth }: stretches in which a context did not run
    this.gaps = []; // { from, to, records }
    this.first = null; // the start of the first call
    this.gone = 0; // calls before this tick have been dropped
    this.marks = []; // { ticks, kind, text }
    this.now = this.now ?? 1000000;
  }

  /** Returns a copy of the present state. The calls are shared: they do not change once they have returned. */
  copy() {
    const twin = Object.assign(new Calls(), this);
    for (const part of ['list', 'away', 'gaps', 'marks']) twin[part] = this[part].slice();
    return twin;
  }

  /** Begins a call; leave() takes the result. */
  enter() {
    return { first: this.list.length, start: this.now };
  }

  /** Ends a call with `own` ticks of self time, some of them before its callees. */
  leave({ first, start }, own, { fn, depth, context, row }) {
    const lead = Math.floor(own * 0.4);
    for (let i = first; i < this.list.length; i++) this.list[i].start += lead;
    this.now += own;
    this.list.push({ start, duration: this.now - start, fn, depth, context, row });
  }

  idle(ticks) {
    this.now += ticks;
    if (this.list.length <= keptMost) return;
    for (const { start } of this.list.splice(0, keptMost / 2)) this.gone = Math.max(this.gone, start);
  }

  /** Adds `ticks` up to now in which the context did not run, with `depth` calls on its stack. */
  rest(kind, ticks, context, depth) {
    this.away.push({ start: this.now - ticks, duration: ticks, kind, context, depth });
  }

  /** Adds a gap: `ticks` whose records were lost. */
  lose(ticks, records) {
    this.gaps.push({ from: this.now, to: this.now + ticks, records });
    this.now += ticks;
  }

  mark(kind, text, ticks = this.now) {
    this.marks.push({ ticks, kind, text });
  }

  /** Keeps only the parts of calls inside one of the stretches, [{ from, to }]. */
  only(stretches) {
    const cut = (list) =>
      list.flatMap((one) =>
        stretches.flatMap(({ from, to }) => {
          const start = Math.max(one.start, from);
          const end = Math.min(one.start + one.duration, to);
          return end > start ? [{ ...one, start, duration: end - start }] : [];
        }),
      );
    this.list = cut(this.list);
    this.away = cut(this.away);
    this.gaps = [];
    this.marks = [];
    this.now = Math.max(0, ...stretches.map(({ to }) => to));
  }

  /** Calls are in the order of their returns, so the earliest start is among the first ones. */
  get oldest() {
    if (this.list.length === 0) return null;
    return this.list.slice(0, 2000).reduce((least, { start }) => Math.min(least, start), Infinity);
  }

  get newest() {
    return this.list.length > 0 ? this.now : null;
  }

  /** Returns the rows of `list` (up to 100,000) in a range, merged to about `max`. */
  #columns(list, from, to, max) {
    const inside = list.filter(({ start, duration }) => start <= to && start + duration >= from);
    if (inside.length <= max) return inside.map((call) => ({ ...call, calls: 1, busy: call.duration, longest: call.duration }));
    const lanes = new Set(inside.map(laneNumber)).size;
    const columns = Math.max(Math.floor((Math.floor(max / lanes) - 2) / 2), 1);
    const column = Math.floor((to - from) / columns) + 1;
    const cells = new Map();
    const rows = [];
    for (const call of inside) {
      if (call.duration >= column) {
        rows.push({ ...call, calls: 1, busy: call.duration, longest: call.duration });
        continue;
      }
      const at = Math.floor((Math.max(call.start, from) - from) / column);
      const key = laneNumber(call) * columns + at;
      const cell = cells.get(key);
      if (cell === undefined) {
        const end = call.start + call.duration;
        cells.set(key, { ...call, calls: 1, end, busy: call.duration, longest: call.duration });
        continue;
      }
      cell.start = Math.min(cell.start, call.start);
      cell.end = Math.max(cell.end, call.start + call.duration);
      if (call.duration > cell.longest) Object.assign(cell, { longest: call.duration, fn: call.fn });
      cell.busy += call.duration;
      cell.calls++;
    }
    return [...rows, ...[...cells.values()].map((cell) => ({ ...cell, duration: cell.end - cell.start }))];
  }

  /** Returns the answer to GET /api/v1/slowest. The preempting context is made up: the next higher id. */
  slowest(sequence, from, to, max, functions) {
    const worst = new Map();
    for (const call of this.list)
      if (call.start >= (from ?? 0) && call.start <= (to ?? Infinity) && !(worst.get(call.fn)?.duration >= call.duration)) worst.set(call.fn, call);
    const over = (call) => call.duration - functions[call.fn].p99_ticks;
    const isSlow = (call) => functions[call.fn]?.calls > 9 && call.duration > 1.2 * functions[call.fn].p99_ticks;
    const found = [...worst.values()].filter(isSlow).sort((a, b) => over(b) - over(a));
    const isInside = (inner, outer) => inner.context === outer.context && inner.depth > outer.depth && inner.start >= outer.start && inner.start + inner.duration <= outer.start + outer.duration;
    const outer = found.filter((one) => !found.some((other) => isInside(one, other)));
    return { sequence, oldest: this.oldest, newest: this.newest, calls: outer.slice(0, max ?? 5).map((call) => this.#slow(call, functions)) };
  }

  #slow(call, functions) {
    const { start, duration, fn, depth, context } = call;
    return { function: fn, context, depth, start, duration, usual_ticks: functions[fn].p99_ticks, usual_is: 'p99', ...this.split(call) };
  }

  /** Returns the answer to GET /api/v1/tasks. A context that waits is active between its waits. */
  tasks(sequence, from, to, contexts) {
    const inside = ({ start, duration }) => start >= (from ?? 0) && start + duration <= (to ?? Infinity);
    const longest = (list) => list.reduce((most, one) => (one.duration > (most?.duration ?? 0) ? one : most), null);
    const told = (one) => one && { start: one.start, duration: one.duration, ...this.split({ ...one, fn: null }) };
    const row = ({ id: context }) => {
      const away = this.away.filter((one) => one.context === context && inside(one)).sort((a, b) => a.start - b.start);
      const waits = away.filter(({ kind }) => kind === 'blocked');
      const active = waits.slice(1).map(({ start }, i) => ({ context, start: waits[i].start + waits[i].duration, duration: start - waits[i].start - waits[i].duration }));
      const runs = waits.length > 0 ? active : this.list.filter((call) => call.context === context && call.depth === 0 && inside(call));
      const sorted = runs.map(({ duration }) => duration).sort((a, b) => a - b);
      const at = (share) => sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? null;
      const ready = waits.length > 0 ? { start: waits[0].start + waits[0].duration - 10, duration: 10 } : null;
      return { context, activations: runs.length, min_ticks: at(0), p50_ticks: at(0.5), p99_ticks: at(0.99), max_ticks: at(1), slowest: told(longest(runs)), work_wait: told(longest(waits)), call_wait: null, preempted: told(longest(away.filter(({ kind }) => kind === 'preempted'))), ready_most: ready };
    };
    return { sequence, oldest: this.oldest, newest: this.newest, from: from ?? this.oldest ?? 0, tasks: contexts.map(row) };
  }

  /** Returns the answer to GET /api/v1/split; `fn` is the function in which the context waits. */
  split({ start, duration, fn, context }) {
    if (!this.away.some((one) => one.context === context)) return { ran_ticks: null, preempted_ticks: null, blocked_ticks: null };
    const cut = (one) => ({ ...one, ticks: Math.min(one.start + one.duration, start + duration) - Math.max(one.start, start) });
    const gone = this.away.filter((one) => one.context === context).map(cut).filter(({ ticks }) => ticks > 0);
    const sum = (wanted) => gone.filter(({ kind }) => kind === wanted).reduce((all, { ticks }) => all + ticks, 0);
    const [preempted, blocked] = [sum('preempted'), sum('blocked')];
    const wait = gone.filter(({ kind }) => kind === 'blocked').sort((a, b) => b.ticks - a.ticks)[0];
    return {
      ran_ticks: duration - preempted - blocked,
      preempted_ticks: preempted,
      blocked_ticks: blocked,
      by: preempted > 0 ? [{ context: context + 1, ticks: preempted }] : [],
      wait: wait ? { start: wait.start, duration: wait.ticks, function: fn, ran_last: context + 1 } : null,
    };
  }

  /** Returns the answer to GET /api/v1/timeline. */
  answer(sequence, from, to, max) {
    const { oldest, newest } = this;
    if (oldest !== null) this.first = Math.min(oldest, this.first ?? oldest);
    const [first, last] = [from ?? oldest ?? 0, to ?? newest ?? 0];
    const order = (a, b) => a.context - b.context || a.depth - b.depth || a.start - b.start;
    const rows = this.#columns(this.list, first, last, max).sort(order);
    const away = this.#columns(this.away, first, last, max).sort(order);
    const gaps = this.gaps.filter((gap) => gap.from <= last && gap.to >= first);
    const marks = this.marks.filter(({ ticks }) => ticks >= first && ticks <= last);
    const column = (list, name) => list.map((one) => one[name]);
    return {
      sequence,
      from: oldest === null ? null : first,
      to: oldest === null ? null : last,
      first: this.first,
      oldest,
      newest,
      rows: {
        start: column(rows, 'start'),
        duration: column(rows, 'duration'),
        function: column(rows, 'fn'),
        context: column(rows, 'context'),
        depth: column(rows, 'depth'),
        calls: column(rows, 'calls'),
        busy: column(rows, 'busy'),
        longest: column(rows, 'longest'),
      },
      away: {
        start: column(away, 'start'),
        duration: column(away, 'duration'),
        kind: column(away, 'kind'),
        context: column(away, 'context'),
        depth: column(away, 'depth'),
        count: column(away, 'calls'),
        busy: column(away, 'busy'),
      },
      gaps: { from: column(gaps, 'from'), to: column(gaps, 'to'), records: column(gaps, 'records') },
      markers: {
        ticks: column(marks, 'ticks'),
        kind: column(marks, 'kind'),
        text: column(marks, 'text'),
        count: marks.map(() => 1),
      },
    };
  }

  /** Returns functions, tree and arcs of a range. Calls are cut at its edges; ids are those of `whole`. */
  within(whole, from, to) {
    const { functions, call_tree: tree } = structuredClone(whole);
    const nothing = { calls: 0, total_ticks: 0, self_ticks: 0 };
    const none = { min_ticks: null, max_ticks: null, mean_ticks: null, p50_ticks: null, p90_ticks: null };
    for (const fn of functions) Object.assign(fn, nothing, none, { p99_ticks: null, stddev_ticks: null });
    for (const name of Object.keys(nothing)) tree[name].fill(0);
    const arcs = new Map();
    for (const { start, duration, fn, row } of this.list) {
      const ticks = Math.min(start + duration, to) - Math.max(start, from);
      if (ticks <= 0) continue;
      const parent = tree.parent[row];
      const one = functions[fn];
      one.calls++;
      one.total_ticks += ticks;
      one.min_ticks = Math.min(one.min_ticks ?? ticks, ticks);
      one.max_ticks = Math.max(one.max_ticks ?? 0, ticks);
      one.mean_ticks = one.total_ticks / one.calls;
      tree.calls[row]++;
      tree.total_ticks[row] += ticks;
      tree.self_ticks[row] += ticks;
      one.self_ticks += ticks;
      const caller = tree.function[parent];
      if (caller <= 0) {
        tree.total_ticks[parent] += ticks;
        continue;
      }
      tree.self_ticks[parent] -= ticks;
      functions[caller].self_ticks -= ticks;
      const key = `${caller} ${fn}`;
      if (!arcs.has(key)) arcs.set(key, { caller, callee: fn, calls: 0 });
      arcs.get(key).calls++;
    }
    return { functions, call_tree: tree, arcs: [...arcs.values()] };
  }
}
