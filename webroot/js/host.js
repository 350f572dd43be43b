// host.js - the contract between a view and its host: the live page (main.js), or a report file (report/report.js).
// Both sides are checked against it when they meet.
//
// A VIEW is a file of view/ with a line in view/list.js. It exports { id, title, create(host) }, and optionally `key`
// (otherwise a number), `tab` (the id of the view whose mode it is, so that it has no tab of its own) and
// `has(profile)` (its tab exists only if the profile has data for it). create() is called once, and returns
//   root         the element, shown while the view is selected
//   update()     draws the present host.profile and host.place; called only while the view is shown
//   beside(isData)  draws its parts that may come a frame later than update(); isData: only data has changed. Optional
//   actions      the actions of its keys (frame/keys.js); may change
//   summary()    the text about matches for the search box, '' for none
//   next(step)   goes to the next (+1) or previous (-1) match; false if there is none
//   back()       undoes one step for Escape; false if there is none. Optional
//   chosen()     the id of its selected function, -1 for none. Optional
//   still()      the visible part of the place, if the address does not have it. Optional
// A view lives as long as the page. State that belongs into the address is in host.place only.
//
// A HOST has all members named below and no others; for what it cannot do, the member is null.

/** The members of a host, with explanations. */
export const given = {
  // Data to show. Any of it can be replaced before the next update().
  profile: 'the profile to draw (model/profile.js): of the range, paused, or live; without idle time unless the place has it',
  measured: 'the same with idle time: it is saved, marked and exported',
  asShown: '(profile): another profile without its idle time, unless the place has it',
  whole: 'the same over all time, whatever range is shown',
  live: 'the live profile, paused or not: for figures of the link rather than of the program',
  range: 'the range of `profile`, { from, to } in ticks as text; null for all time',
  run: 'identifies the start of the daemon of `live`; null without a daemon',
  answers: 'true if the daemon responds',
  paused: 'true if `profile` does not change',
  figures: 'the daemon’s table of figures (model/figures.js)',
  time: 'formats times (model/time.js)',
  place: 'the state of the page in the address (model/place.js)',
  match: 'the matcher of the search text (model/search.js)',
  theme: "'light' or 'dark'",
  views: 'ids of the views, in order',
  // Requests of a view. Each promises its answer; errors have messages that can be shown.
  fetchFunction: '(id, range): callers, callees and durations of a function',
  fetchOverTime: '(id, range, columns): its calls in columns of time (model/overtime.js); null: unavailable',
  fetchPeriods: '(id, range): the histogram of its periods; null: unavailable',
  fetchSource: '(id): its lines and instructions; null: there is no view for them',
  fetchTimeline: '(range, max, signal, columns): the calls of a time range, and the load in that many columns; null: there is no view for them',
  fetchCalls: '(range, max): the calls of a range for a picture outside of the timeline; null: unavailable',
  fetchSlowest: '(range): the slowest calls of all functions (model/slowest.js); null: unavailable',
  fetchTasks: '(range): responses and the longest waits of each context (model/taskfigures.js); null: unavailable',
  fetchSplit: '(context, range): how that context spent the time of the range; null: unavailable',
  fetchHistory: '(): the history of the link (model/series.js); null: unavailable',
  fetchDoctor: '(): checks of a profile’s prerequisites; null: unavailable',
  buildFrames: '(profile, rule): the frames of a flame graph (model/frames.js)',
  layOver: '(aligned, before, after, rule): two of them merged; null: there is nothing to compare with',
  // State that the page keeps for all views.
  base: 'the base of the Compare view (base.js), or null',
  after: 'the file compared in place of the current profile, likewise',
  // Actions of a view.
  go: '(change, { replace }) goes to another place; `replace` adds no step for the browser’s Back',
  redraw: '() calls update() in the next animation frame, for an action of the user',
  fresh: '() the same when there is time, for what was computed of new data',
  openNotes: '(ticks) opens the dialog of notes, with that time for a new note, unless null',
  openLimits: '(fn, figure) opens the limits, with a new one for that row of functions, or none for null; null: unavailable',
  askForMoment: '() asks for a time of the timeline and goes there',
  device: '(command) sends a command to the target; a toast shows the answer',
  setDevice: '(name, value) sets a setting of the target; promises the daemon’s answer, or throws; null: unavailable',
  setMode: '(mode) sets the mode of the target, likewise; null: unavailable',
  setTrigger: '({ when } or { now }) sets the trigger of kept windows, likewise; null: unavailable',
  openMenu: '(at, title, items, note, edge) opens a menu (frame/menu.js)',
  toast: '(level, title, text, act) shows a short message; act { label, keys, run } is its button',
  copy: '(text, what, note) copies text and reports it: "`what` copied", with the note',
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
