// range.js - selects a range on the timeline, by pointer or keys.

import { rangeTicks, readRange, writeRange } from '../../model/range.js';

/** `go(range)` sets the range of all views; `changed()` is called during the selection. */
export function createRangePicker(go, changed) {
  let picking = null; // { from, to } in ticks
  let begin = null; // start of a selection by keys
  const finish = (a, b) => {
    const range = writeRange(a, b);
    [begin, picking] = [null, null];
    if (rangeTicks(range) > 0) go(range);
    changed();
  };
  return {
    /** The range to show: the one being selected, else that of the address, or null. */
    shown(address) {
      if (picking !== null) return picking;
      const range = readRange(address);
      return range === null ? null : { from: Number(range.from), to: Number(range.to) };
    },
    drag(a, b, done) {
      if (done) finish(a, b);
      else {
        picking = { from: Math.max(Math.min(a, b), 0), to: Math.max(a, b) };
        changed();
      }
    },
    begin(ticks) {
      begin = ticks;
      picking = { from: ticks, to: ticks };
      changed();
    },
    /** Ends the selection at `ticks`; `otherwise` is its start if begin() was not called. */
    end: (ticks, otherwise) => finish(begin ?? otherwise, ticks),
    /** Cancels; false if nothing was being selected. */
    cancel() {
      if (picking === null) return false;
      [begin, picking] = [null, null];
      changed();
      return true;
    },
  };
}
