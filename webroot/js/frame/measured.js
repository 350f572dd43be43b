// measured.js - keeps what the plots of the Link view show: rates over time, whichever view is open.

import { Series } from '../model/series.js';

const errorsOf = (link, target) =>
  (link.crc_errors ?? 0) +
  (link.framing_errors ?? 0) +
  (link.malformed ?? 0) +
  (link.records_lost ?? 0) +
  (target.buffer_overflows ?? 0);

export function createMeasured() {
  const series = new Series(['bytes', 'calls', 'errors']);
  let last = null; // { at (ms), count }
  return {
    series,
    /** Adds the profile's rates as they are now. */
    add({ link, target }) {
      const at = Date.now();
      const errors = { at, count: errorsOf(link, target) };
      const passed = last === null ? 0 : (at - last.at) / 1000;
      const grown = last === null ? 0 : Math.max(errors.count - last.count, 0);
      series.add(at, {
        bytes: link.bytes_per_second,
        calls: link.calls_per_second,
        errors: passed > 0 ? grown / passed : 0,
      });
      last = errors;
    },
  };
}
