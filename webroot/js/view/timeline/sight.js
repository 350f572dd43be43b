// sight.js - which part of the time the timeline shows, how it moves with the reader and with the data, and how the address
// reflects it.

import { readRange } from '../../model/range.js';
import * as sights from '../../model/sight.js';

const leastSpan = 8; // ticks

export class Sight {
  #host;
  #data;
  #moved;
  #span = 0; // of the sight while following
  #told = null; // what the address said when it was read or written last
  #wished = null; // what the address said, where it may be newer than what is known: { from, to, overview }
  #settled = true; // whether the span stays; until there are calls enough to choose it from it does not

  /**
   * data: data.js; `moved(step)` is called when the reader has moved the sight; step: as far as that Back should undo it.
   */
  constructor(host, data, moved) {
    this.#host = host;
    this.#data = data;
    this.#moved = moved;
    /** 'live' follows the newest data, 'all' grows with what is held, 'fixed' stays. */
    this.mode = '';
    /** { from, to } in ticks, or null before there is anything to see. */
    this.now = null;
  }

  forget() {
    this.now = null;
    this.#told = null;
  }

  #usualSpan() {
    const { functions, ticksPerSecond } = this.#host.whole;
    const { overview, held } = this.#data;
    const typical = overview === null ? null : sights.typicalCalls(overview, functions);
    return { span: sights.usualSpan(held, ticksPerSecond, typical), sure: typical !== null };
  }

  #takeUsual() {
    const { span, sure } = this.#usualSpan();
    this.#span = span;
    this.#settled = sure;
  }

  #look(next, mode = 'fixed', step = false) {
    if (this.#data.held === null) return false;
    this.mode = mode;
    this.now = next;
    this.#settled = true;
    this.#wished = null;
    this.#moved(step);
    return true;
  }

  // --- the address

  /** Takes what the address says, if that is news; true when it was. */
  read() {
    const { place, live } = this.#host;
    const { at } = place;
    if (at === this.#told && this.now !== null) return false;
    this.#told = at;
    const said = sights.readAt(at);
    this.mode = said.mode === 'usual' ? (live.source.state === 'ended' ? 'all' : 'live') : said.mode;
    this.#span = said.span;
    this.#settled = said.span > 0;
    if (!this.#settled) this.#takeUsual();
    const range = readRange(place.range);
    if (said.mode === 'usual' && range !== null) {
      // A reader who comes with a range wants to see that.
      this.mode = 'fixed';
      this.now = sights.sightOf(Number(range.from), Number(range.to), this.#data.held);
    } else if (this.mode === 'fixed') this.#wish(said);
    else this.keepUp();
    return true;
  }

  /** Of what is newer than all that is known there may be more with the next picture of everything. */
  #wish({ from, to }) {
    const { held, overview } = this.#data;
    this.now = sights.settle({ from, to }, held);
    this.#wished = to > held.newest ? { from, to, overview } : null;
  }

  /** What the address has to say. */
  write() {
    this.#told = sights.writeAt(this.mode, this.now, this.#span);
    return this.#told;
  }

  /** What the address of something that stands still has to say for this very sight. */
  get still() {
    return this.now === null ? this.#host.place.at : sights.writeAt(this.mode === 'live' ? 'fixed' : this.mode, this.now, 0);
  }

  // --- moving

  /**
   * The part that the daemon keeps, up to the last answer: there would be nothing to draw of what has come since. So the last picture stays
   * when there are no more answers.
   */
  get #drawn() {
    const { held, followed } = this.#data;
    return followed === null ? held : { ...held, newest: followed.newest };
  }

  /** What there should be a picture of; while the newest is followed, of all that has come. */
  get wanted() {
    return this.mode === 'live' ? sights.liveSight(this.#data.held, this.#span) : this.now;
  }

  /** Moves with the data. */
  keepUp() {
    const { held } = this.#data;
    if (!this.#settled && this.mode === 'live') this.#takeUsual();
    if (this.mode === 'live') this.now = sights.liveSight(this.#drawn, this.#span);
    else if (this.mode === 'all') this.now = sights.wholeSight(held);
    else if (this.#wished !== null && this.#wished.overview !== this.#data.overview) {
      this.now = sights.settle(this.#wished, held);
      this.#wished = null;
    }
  }

  /** About the share `at` of the sight; without it about the middle, or the newest while that is followed. */
  zoom(factor, at = null) {
    if (this.now === null) return false;
    const { held } = this.#data;
    if (this.mode !== 'live' || at !== null) return this.#look(sights.zoomSight(this.now, factor, at ?? 0.5, held));
    const most = sights.wholeSight(held);
    this.#span = Math.min(Math.max(this.#span * factor, leastSpan), most.to - most.from);
    return this.#look(sights.liveSight(held, this.#span), 'live');
  }

  pan(share) {
    return this.now !== null && this.#look(sights.panSight(this.now, share, this.#data.held));
  }

  /** Begins or ends following the newest data. */
  follow() {
    if (this.now === null || this.#host.live.source.state === 'ended') return false;
    if (this.mode === 'live') return this.#look(this.now, 'fixed');
    this.#span = Math.min(this.now.to - this.now.from, this.#usualSpan().span * 10);
    return this.#look(sights.liveSight(this.#data.held, this.#span), 'live');
  }

  /** Ends following, where the sight is now. */
  stay() {
    return this.mode === 'live' && this.#look(this.now, 'fixed');
  }

  showAll() {
    const { held } = this.#data;
    return held !== null && this.#look(sights.wholeSight(held), 'all', true);
  }

  /** `step`: as far as that Back should undo it. */
  zoomTo({ start, end }, step = true) {
    return this.#look(sights.sightOf(start, end, this.#data.held), 'fixed', step);
  }

  /** Moves no further than it takes to see the item. */
  reveal({ start, end }) {
    const next = sights.revealing(this.now, start, end, this.#data.held);
    if (next !== this.now) this.#look(next);
  }

  between(from, to) {
    return this.now !== null && this.#look(sights.settle({ from, to }, this.#data.held));
  }
}
