// why.js - why the selected call took as long as it did, requested when it is selected.

import { splitWords } from '../../model/slowest.js';

export class Why {
  #host;
  #key = '';
  #words = '';

  constructor(host) {
    this.#host = host;
  }

  /** Text for `item`, the selected call; '' for other items, and until the answer arrives. */
  of(item) {
    const host = this.#host;
    if (host.fetchSplit === null || item?.kind !== 'call' || item.calls !== 1) return '';
    const key = [item.context, item.start, item.end, host.paused].join('|');
    if (key !== this.#key) this.#ask(key, item);
    return this.#words;
  }

  async #ask(key, { context, start, end }) {
    const host = this.#host;
    [this.#key, this.#words] = [key, ''];
    const split = await host.fetchSplit(context, { from: String(start), to: String(end) }).catch(() => null);
    if (key !== this.#key || split === null) return;
    this.#words = splitWords({ ...split, context, duration: end - start }, host.whole);
    host.redraw();
  }
}
