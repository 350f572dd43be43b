// range.js - choosing a range on the timeline, by pointer or by keys.

import { rangeTicks, readRange, writeRange } from '../../model/range.js';

/** `go(range)` makes it the range of every view; `changed()` is called while it is being chosen. */
export function createRangePicker(go, changed) {
  let picking = null; // { from, to } in ticks
  let begin = null; // where one chosen by keys begins
  const finish = (a, b) => {
    const range = writeRange(a, b);
    [begin, picking] = [null, null];
    if (rangeTicks(range) > 0) go(range);
    changed();
  };
  return {
    /** What to show: the range being chosen, else that of the address, or null. */
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
    /** Ends at `ticks` what begin() began; `otherwise` is the begin when nothing did. */
    end: (ticks, otherwise) => finish(begin ?? otherwise, ticks),
    /** Gives up; false when nothing was being chosen. */
    cancel() {
      if (picking === null) return false;
      [begin, picking] = [null, null];
      changed();
      return true;
    },
  };
}
