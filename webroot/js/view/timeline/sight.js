// sight.js - which part of the time the timeline shows, how it moves with the reader and with the data, and
// how the address says so.

import { readRange } from '../../model/range.js';
import * as sights from '../../model/sight.js';

const leastSpan = 8; // ticks

/**
 * data: timeline/data.js; `moved(step)` is called when the reader has moved the sight; step: as far as that Back should
 * undo it.
 */
export function createSight(host, data, moved) {
  let mode = ''; // 'live' follows the newest data, 'all' grows with what is held, 'fixed' stays
  let sight = null; // { from, to } in ticks
  let span = 0; // of the sight while following
  let told = null; // what the address said when it was read or written last

  let settled = true; // whether the span stays; until there are calls enough to choose it from it does not

  function usualSpan() {
    const { functions, ticksPerSecond } = host.whole;
    const typical = data.overview === null ? null : sights.typicalCalls(data.overview, functions);
    return { span: sights.usualSpan(data.held, ticksPerSecond, typical), sure: typical !== null };
  }

  function takeUsual() {
    ({ span, sure: settled } = usualSpan());
  }

  function look(next, nextMode = 'fixed', step = false) {
    if (data.held === null) return false;
    mode = nextMode;
    sight = next;
    settled = true;
    moved(step);
    return true;
  }

  return {
    /** { from, to } in ticks, or null before there is anything to see. */
    get now() {
      return sight;
    },
    get mode() {
      return mode;
    },
    forget() {
      [sight, told] = [null, null];
    },
    /** Takes what the address says, if that is news; true when it was. */
    read() {
      const { at } = host.place;
      if (at === told && sight !== null) return false;
      told = at;
      const said = sights.readAt(at);
      mode = said.mode === 'usual' ? (host.live.source.state === 'ended' ? 'all' : 'live') : said.mode;
      span = said.span;
      settled = span > 0;
      if (!settled) takeUsual();
      const range = readRange(host.place.range);
      if (said.mode === 'usual' && range !== null) {
        // Who comes with a range wants to see that.
        mode = 'fixed';
        sight = sights.sightOf(Number(range.from), Number(range.to), data.held);
      } else if (mode === 'fixed') sight = sights.settle(said, data.held);
      else this.keepUp();
      return true;
    },
    /** What the address has to say. */
    write() {
      told = sights.writeAt(mode, sight, span);
      return told;
    },
    /** Moves with the data. */
    keepUp() {
      if (!settled && mode === 'live') takeUsual();
      if (mode === 'live') sight = sights.liveSight(data.held, span);
      else if (mode === 'all') sight = sights.wholeSight(data.held);
    },
    look,
    /** About the share `at` of the sight; without it about the middle, or the newest while that is followed. */
    zoom(factor, at = null) {
      if (sight === null) return false;
      if (mode !== 'live' || at !== null)
        return look(sights.zoomSight(sight, factor, at ?? 0.5, data.held));
      const most = sights.wholeSight(data.held);
      span = Math.min(Math.max(span * factor, leastSpan), most.to - most.from);
      return look(sights.liveSight(data.held, span), 'live');
    },
    pan: (share) => sight !== null && look(sights.panSight(sight, share, data.held)),
    /** Begins or ends following the newest data. */
    follow() {
      if (sight === null || host.live.source.state === 'ended') return false;
      if (mode === 'live') return look(sight, 'fixed');
      span = Math.min(sight.to - sight.from, usualSpan().span * 10);
      return look(sights.liveSight(data.held, span), 'live');
    },
    showAll: () => data.held !== null && look(sights.wholeSight(data.held), 'all', true),
    zoomTo: ({ start, end }) => look(sights.sightOf(start, end, data.held), 'fixed', true),
    /** Moves no further than it takes to see the item. */
    reveal({ start, end }) {
      const next = sights.revealing(sight, start, end, data.held);
      if (next !== sight) look(next);
    },
    between(from, to) {
      return sight !== null && look(sights.settle({ from, to }, data.held));
    },
  };
}
