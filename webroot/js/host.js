// host.js - the contract between a view and what shows it: the live page (main.js), or a report in a file
// (report/report.js). It is written here and nowhere else, and both sides are checked against it when they meet.
//
// A VIEW is a file of view/ with a line in view/list.js. It exports { id, title, create(host) }, and `key` where a number does
// not lead there, `tab` (an id) where it is a mode of another view and has no tab of its own, and `has(profile)` where its tab is there only
// while the profile has something for it; create() makes what is to
// be seen, once, and answers
//   root         the element that is shown while the view is chosen
//   update()     draws what host.profile and host.place say now; called only while the view is shown
//   actions      what its keys do (frame/keys.js), which may be another list from time to time
//   summary()    what the search box says about the matches here, '' for nothing
//   next(step)   goes to the next (+1) or previous (-1) match; false when there is none
//   back()       undoes one step for Escape; false when there is none to undo. A view without steps may leave it out
//   chosen()     the id of the function that is chosen in it, -1 for none; may be left out
//   still()      what of the place says what is visible now, where the address leaves it to the view; may be left out
// A view lives as long as the page, and remembers nothing that the address should say: that is host.place.
//
// A HOST has all members named below and no others; for what it cannot do, the member is null.

/** What a host has, by name; for the author of a view. */
export const given = {
  // What is shown. All of it may be another one at the next update().
  profile: 'the profile to draw (model/profile.js): of the range, or as it was when paused, or as it comes in; without idle time unless the place asks for it',
  measured: 'the same with its idle time: what is saved, marked and exported',
  asShown: '(profile): another profile without its idle time, unless the place asks for it',
  whole: 'the same of all of the time, whatever range is shown',
  live: 'the profile as it comes in, paused or not: for what is about the link and not about the program',
  range: 'the range that `profile` is of, { from, to } in ticks as text; null when it is of everything',
  run: 'which start of the daemon `live` belongs to; null where no daemon is',
  answers: 'whether what is asked for will be answered',
  paused: 'whether `profile` stays as it is',
  figures: 'what is measured of the link and of functions, as the daemon describes it (model/figures.js)',
  time: 'how moments are counted and written (model/time.js)',
  place: 'where the reader is (model/place.js), which is what the address says',
  match: 'what the search box asks for (model/search.js)',
  theme: "'light' or 'dark'",
  views: 'ids of the views, in order',
  // Requests of a view. Each promises its answer; errors have messages that can be shown.
  fetchFunction: '(id, range): callers, callees and durations of a function',
  fetchOverTime: '(id, range, columns): its calls in columns of time (model/overtime.js); null: unknown',
  fetchPeriods: '(id, range): how its times from start to start are spread; null: unknown',
  fetchSource: '(id): its lines and instructions; null: there is no view for them',
  fetchTimeline: '(range, max, signal): the calls of a stretch of time; null: there is no view for them',
  fetchCalls: '(range, max): the calls of a stretch for a picture beside the timeline; null: unknown',
  fetchSlowest: '(range): the slowest calls of all functions (model/slowest.js); null: unknown',
  fetchTasks: '(range): responses and the longest waits of each context (model/taskfigures.js); null: unknown',
  fetchSplit: '(context, range): where the time of a stretch of that context went; null: unknown',
  fetchHistory: '(): how the link did over time (model/series.js); null: unknown',
  fetchDoctor: '(): whether what a profile needs is there; null: nobody can look',
  buildFrames: '(profile, rule): the frames of a flame graph (model/frames.js)',
  layOver: '(aligned, before, after, rule): two of them merged; null: there is nothing to compare with',
  // State that the page keeps for all views.
  base: 'the base of the Compare view (base.js), or null',
  after: 'the file compared in place of the current profile, likewise',
  // Actions of a view.
  go: '(change, { replace }) goes to another place; `replace` leaves no step for the browser’s Back',
  redraw: '() has update() called with the next animation frame',
  openNotes: '(ticks) opens the dialog of the notes, with a new one at that moment; null: nowhere yet',
  openLimits: '(fn, figure) opens the limits, with a new one of that row of functions begun unless it is null; null: nobody is there',
  askForMoment: '() asks for a moment of the timeline and goes there',
  device: '(command) sends a command to the target; a toast shows the answer',
  setDevice: '(name, value) sets something on the target: what the daemon answers then, or throws; null: nobody is there',
  setMode: '(mode) has the target report its calls in another way, likewise; null: there is no device',
  setTrigger: '({ when } or { now }) says at which calls a window is kept, likewise; null: nobody is there',
  openMenu: '(at, title, items, note, edge) opens a menu (frame/menu.js)',
  toast: '(level, title, text, act) says something in passing; act { label, keys, run } is what can be done about it',
  copy: '(text, what, note) puts text on the clipboard and confirms it: "`what` copied", and the note',
};

const answered = ['root', 'update', 'actions', 'summary', 'next'];

/** Returns the host with these parts, which may be getters. Throws if one is missing or unknown. */
export function makeHost(parts) {
  const missing = Object.keys(given).filter((name) => !(name in parts));
  const unknown = Object.keys(parts).filter((name) => !(name in given));
  if (missing.length > 0) throw new Error(`The host has no ${missing.join(', ')}; see host.js.`);
  if (unknown.length > 0) throw new Error(`The host has ${unknown.join(', ')}, which host.js does not define.`);
  return parts;
}

/** Creates a view for this host; throws if the view is incomplete. */
export function makeView(definition, host) {
  const view = definition.create(host);
  const missing = answered.filter((name) => !(name in view));
  if (missing.length > 0) throw new Error(`The view ${definition.id} has no ${missing.join(', ')}; see host.js.`);
  return view;
}
