// range.js - the part of time that every view shows: its profile, fetched once, and the line that says so.
//
// The figures of a range come from the daemon, which holds the calls; here they are only kept. While they are on
// their way, or cannot be had, the views show everything, and the line says that, too.

import { el, setAttr, setText } from '../dom.js';
import { duration } from '../model/format.js';
import { moment } from '../model/axis.js';
import { Profile } from '../model/profile.js';
import { rangeTicks, readRange } from '../model/range.js';

/** `changed()` is called when there is another profile to show; `clear()` leaves the range. */
export function createRange({ host, live, fetchSnapshot, changed, clear }) {
  let wanted = '';
  let profile = null; // the range's, or null while views show everything
  let trouble = '';
  let missing = ''; // what of the range is not held any more, in words
  let request = null;

  const title = el('strong');
  const words = el('span');
  const again = el('button', { type: 'button', class: 'button small', onclick: load }, 'Try again');
  const leave = el(
    'button',
    { type: 'button', class: 'button small', title: 'Leave the range (Backspace)', onclick: clear },
    'Show everything',
  );
  const line = el(
    'div',
    { class: 'notice', 'data-id': 'range', hidden: true },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    el('p', {}, title, ' ', words),
    again,
    leave,
  );
  host.append(line);

  async function load() {
    request?.abort();
    const mine = new AbortController();
    request = mine;
    trouble = '';
    changed();
    try {
      const answer = await fetchSnapshot(readRange(wanted), mine.signal);
      if (mine.signal.aborted) return;
      profile = new Profile();
      profile.load(answer);
      missing = whatIsMissing(answer);
    } catch (error) {
      if (mine.signal.aborted) return;
      profile = null;
      trouble = error.message;
    }
    request = null;
    changed();
  }

  /** The ring holds the last calls only; what of the range is older cannot be counted. */
  function whatIsMissing(answer) {
    const held = answer.range?.held_from ?? 0;
    const { from, to } = readRange(wanted);
    const at = moment(held, live.ticksPerSecond, rangeTicks(wanted) / 100);
    if (held > Number(to))
      return `It lies before ${at}, from where on calls are still held: nothing can be shown of it.`;
    if (held > Number(from))
      return `Its calls before ${at} are not held any more; the figures are of what came after.`;
    return profile.calls > 0 || profile.messages.length > 0 ? '' : 'No call is held of it: nothing ran then, or the profile was cleared since.';
  }

  return {
    /** The profile of the range, or null where there is none. */
    get profile() {
      return profile;
    },
    /** Shows this range, '' for everything; what is shown already is not fetched again. */
    show(range) {
      if (range === wanted) return;
      wanted = range;
      missing = '';
      if (range !== '') {
        load();
        return;
      }
      request?.abort();
      request = null;
      profile = null;
      trouble = '';
    },
    /** The daemon has forgotten what the range was taken from. */
    forget() {
      if (wanted !== '') load();
    },
    update() {
      line.hidden = wanted === '';
      if (line.hidden) return;
      const { from, to } = readRange(wanted);
      const ticks = rangeTicks(wanted);
      const at = (edge) => moment(Number(edge), live.ticksPerSecond, ticks / 100);
      setAttr(line, 'data-level', trouble !== '' ? 'bad' : missing !== '' ? 'warn' : 'pause');
      setText(title, `Range of ${duration(ticks, live.ticksPerSecond)}`);
      setText(
        words,
        trouble !== ''
          ? `It cannot be shown: ${trouble} Every view shows everything meanwhile.`
          : profile === null
            ? `from ${at(from)} to ${at(to)}. Reading its calls …`
            : missing || `from ${at(from)} to ${at(to)}: views and exports are of these calls only.`,
      );
      again.hidden = trouble === '';
    },
  };
}
