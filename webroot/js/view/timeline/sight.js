// sight.js - which part of the time the timeline shows, how it moves with the reader and with the data, and how the address
// reflects it.

import { readRange } from '../../model/range.js';
import * as sights from '../../model/sight.js';

const leastSpan = 8; // ticks

export class Sight {
  #host;
  #data;
  #moved;
  #span = 0; // of the visible range while following
  #told = null; // the address when it was last read or written
  #wished = null; // the range in the address, if it may be newer than the known data: { from, to, overview }
  #settled = true; // false until there are enough calls to choose the span

  /** data: data.js; `moved(step)` is called when the user has moved the visible range; step: Back should undo it. */
  constructor(host, data, moved) {
    this.#host = host;
    this.#data = data;
    this.#moved = moved;
    /** 'live' follows the newest data, 'all' grows with the buffered range, 'fixed' stays. */
    this.mode = '';
    /** { from, to } in ticks, or null without data. */
    this.now = null;
  }

  forget() {
    this.now = null;
    this.#told = null;
  }

  get #typical() {
    const { overview } = this.#data;
    return overview === null ? null : sights.typicalCalls(overview, this.#host.whole.functions);
  }

  #usualSpan() {
    const typical = this.#typical;
    return { span: sights.usualSpan(this.#data.held, this.#host.whole.ticksPerSecond, typical), sure: typical !== null };
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

  // --- address

  /** Applies the address if it is new; returns true then. */
  read() {
    const { place, live } = this.#host;
    const { at } = place;
    if (at === this.#told && this.now !== null) return false;
    this.#told = at;
    const said = sights.readAt(at);
    const isUsual = said.mode === 'usual';
    const hasEnded = live.source.state === 'ended';
    const still = isUsual && hasEnded ? sights.stillSight(this.#data.held, this.#typical) : null;
    const usual = still !== null ? 'fixed' : hasEnded ? 'all' : 'live';
    this.mode = isUsual ? usual : said.mode;
    this.#span = said.span;
    this.#settled = said.span > 0;
    if (!this.#settled) this.#takeUsual();
    const range = readRange(place.range);
    if (isUsual && range !== null) {
      // A reader who comes with a range wants to see that.
      this.mode = 'fixed';
      this.now = sights.sightOf(Number(range.from), Number(range.to), this.#data.held);
    } else if (still !== null) this.now = still;
    else if (this.mode === 'fixed') this.#wish(said);
    else this.keepUp();
    return true;
  }

  /** Keeps a range that is newer than the known data: the next overview may have more of it. */
  #wish({ from, to }) {
    const { held, overview } = this.#data;
    this.now = sights.settle({ from, to }, held);
    this.#wished = to > held.newest ? { from, to, overview } : null;
  }

  /** Returns the visible range for the address. */
  write() {
    this.#told = sights.writeAt(this.mode, this.now, this.#span);
    return this.#told;
  }

  /** The address part for this very range, for links to something paused. */
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

  /** The range that should have a picture; while following, including the newest data. */
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

  /** Zooms about the share `at` of the visible range; by default, and outwards while following, about the middle or the newest. */
  zoom(factor, at = null) {
    if (this.now === null) return false;
    const { held } = this.#data;
    if (this.mode !== 'live' || (at !== null && factor < 1)) return this.#look(sights.zoomSight(this.now, factor, at ?? 0.5, held));
    const most = sights.wholeSight(held);
    this.#span = Math.min(Math.max(this.#span * factor, leastSpan), most.to - most.from);
    return this.#look(sights.liveSight(held, this.#span), 'live');
  }

  pan(share) {
    return this.now !== null && this.#look(sights.panSight(this.now, share, this.#data.held));
  }

  /** Starts or stops following the newest data. */
  follow() {
    if (this.now === null || this.#host.live.source.state === 'ended') return false;
    if (this.mode === 'live') return this.#look(this.now, 'fixed');
    this.#span = Math.min(this.now.to - this.now.from, this.#usualSpan().span * 10);
    return this.#look(sights.liveSight(this.#data.held, this.#span), 'live');
  }

  /** Stops following, without moving. */
  stay() {
    return this.mode === 'live' && this.#look(this.now, 'fixed');
  }

  showAll() {
    const { held } = this.#data;
    return held !== null && this.#look(sights.wholeSight(held), 'all', true);
  }

  /** `step`: Back should undo it. */
  zoomTo({ start, end }, step = true) {
    return this.#look(sights.sightOf(start, end, this.#data.held), 'fixed', step);
  }

  /** Moves just enough to show the item. */
  reveal({ start, end }) {
    const next = sights.revealing(this.now, start, end, this.#data.held);
    if (next !== this.now) this.#look(next);
  }

  between(from, to) {
    return this.now !== null && this.#look(sights.settle({ from, to }, this.#data.held));
  }
}
