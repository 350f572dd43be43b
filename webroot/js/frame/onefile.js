// onefile.js - saves the page as one HTML file that needs no server: its scripts, styles and data. report/report.js
// shows it.

import { saveText } from './save.js';
import { count, plural } from '../model/format.js';
import { sizeOf } from '../model/heldcalls.js';
import { fillPage, isWhole } from '../model/onefile.js';
import { formatPlace } from '../model/place.js';
import { readRange, wholeTicks } from '../model/range.js';
import { fileName, snapshotWith } from '../model/saved.js';
import { readAt } from '../model/sight.js';

const wholeMost = 12000; // rows of all that is held
const partMost = 50000; // rows of the visible part
const loadColumns = 1000;
const treeMost = 200000; // paths
const gatherMs = 10000; // after the start: data for the file is fetched then, in case miniprofd ends

/** The visible part of the timeline, in ticks; null where the address does not name it. */
function sightOf({ at, range }, held) {
  const said = readAt(at);
  if (said.mode === 'fixed') return said;
  if (said.mode === 'live' && said.span > 0) return { from: held.newest - said.span, to: held.newest };
  const chosen = readRange(range);
  return chosen === null ? null : { from: Number(chosen.from), to: Number(chosen.to) };
}

/** A sentence on the calls in the file. */
function callsWords(calls, time) {
  if (calls === null) return 'The timeline is not in it: its calls are not known here.';
  const whole = sizeOf(calls.whole);
  if (whole.merged === 0) return `Its timeline has all ${plural(whole.calls, 'call')} that were available.`;
  if (calls.part === null) return `Its timeline has ${count(whole.calls)} calls, merged to ${plural(whole.rows, 'row')}.`;
  const part = sizeOf(calls.part);
  const [from, to] = [calls.part.from, calls.part.to].map((ticks) => time.moment(Number(ticks), (calls.part.to - calls.part.from) / 100));
  const fine = part.merged === 0 ? `each of the ${count(part.calls)} calls` : `${count(part.calls)} calls in ${count(part.rows)} rows`;
  return `Its timeline has ${fine} from ${from} to ${to}; beside that, calls are merged to ${plural(whole.rows, 'row')}.`;
}

/** { whole, part } for heldcalls.js, from the daemon, or without one from earlier answers; null if there are none. */
async function callsNow({ host, answers, still }, held) {
  const { whole } = host();
  if (!whole.provides('timeline')) return null;
  if (!answers()) return held.whole === null ? null : { ...held };
  const answer = await host().fetchTimeline(null, wholeMost, undefined, loadColumns);
  if (answer.oldest === null) return null;
  const sight = sizeOf(answer).merged === 0 ? null : sightOf(still(), answer);
  if (sight === null) return { whole: answer, part: null };
  const room = (sight.to - sight.from) / 2;
  const [from, to] = [Math.max(sight.from - room, 0), sight.to + room].map(wholeTicks);
  return { whole: answer, part: await host().fetchTimeline({ from, to }, partMost) };
}

/** The profile on one side of the Compare view, for JSON. */
const heldIn = (side) => (side?.held ? { ...side.held, profile: null, snapshot: snapshotWith(side.held.profile) } : null);

/** The file's data: { values (by placeholders of report.html), said, whole }. */
async function contents(on, held) {
  const { host, place, still, time } = on;
  const { measured, whole, range, base, after, run, figures, theme } = host();
  if (whole.tree.length > treeMost) throw new Error(`${count(whole.tree.length)} paths of calls are more than a file takes (${count(treeMost)}). Clear the profile and let it run for a shorter time.`);
  const calls = await callsNow(on, held);
  const said = [callsWords(calls, host().time), 'Source, the panel of the connection and histograms of durations are not in it.'];
  const exactly = {
    place: formatPlace(still()),
    theme,
    said,
    calls,
    time: time.known,
    ranged: range === null ? null : { range: place.get().range, snapshot: snapshotWith(measured) },
    run, // tells whether a mark is of it
    base: heldIn(base),
    after: heldIn(after),
  };
  return { values: { FIGURES: figures, SNAPSHOT: snapshotWith(whole), EXACTLY: exactly }, said, whole };
}

/**
 * on: { api, toast, answers(), host, time (frame/time.js), place, still() (the place, saying what is visible now) }. `learn(range, answer)` takes what was answered about the timeline, for
 * when no daemon answers any more.
 */
export function createOneFile(on) {
  const { api, toast, host } = on;
  const held = { whole: null, part: null };
  let page = null;

  /** The report page as served. Its text of half a megabyte takes longer than a frame, so it is read only on demand. */
  function gather() {
    page ??= api.fetchPageFile('report/report.html').catch((error) => {
      page = null;
      throw error;
    });
    return page;
  }

  async function readReport() {
    const text = await (await gather()).text();
    if (!isWhole(text)) throw new Error('This page is served file by file (--webroot), so it cannot be saved as one. Leave that option out.');
    return text;
  }

  function learn(range, answer) {
    if (answer.rows !== undefined && answer.rows.start.length > 1) held[range === null || range.from === undefined ? 'whole' : 'part'] = answer;
    return answer;
  }

  async function save() {
    if (!host().whole.loaded) return toast('info', 'Nothing to save', 'No profile has come yet.');
    try {
      const { values, said, whole } = await contents(on, held);
      const text = fillPage(await readReport(), values);
      saveText({ name: `${fileName(whole, new Date())}.html`, type: 'text/html', text });
      return toast('ok', 'Saved as one file', said[0]);
    } catch (error) {
      return toast('bad', 'Save this page', error.message);
    }
  }

  setTimeout(() => gather().catch(() => {}), gatherMs);
  return { learn, save };
}
