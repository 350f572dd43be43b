// api.js - the only file that knows the daemon's URLs.

/** An error response of the daemon or the network. */
export class ApiError extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
    this.title = title;
  }
}

// Relative to this file, since a worker's own location differs. The daemon serves page files from a folder named by
// their content.
const base = new URL(import.meta.url.replace(/(v-[0-9a-f]{16}\/)?js\/api\.js$/, 'api/v1/'));

async function ask(path, options) {
  let response;
  try {
    response = await fetch(new URL(path, base), { cache: 'no-store', ...options });
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new ApiError(0, 'No answer', 'miniprofd does not answer. Is it still running?');
  }
  const text = await response.text();
  let body = null;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    body = null;
  }
  if (!response.ok) {
    throw new ApiError(response.status, body?.title ?? `HTTP ${response.status}`, body?.detail ?? '');
  }
  if (body === null)
    throw new ApiError(response.status, 'Unreadable answer', `The answer to ${path} is not JSON.`);
  return body;
}

function post(path, body = {}, options = {}) {
  return ask(path, {
    ...options,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/**
 * The query that restricts a request to `part`: { from, to } in ticks, { pause } (an id of beginPause()), or both; ''
 * for null.
 */
function within(part) {
  const query = ['from', 'to', 'pause'].filter((name) => part?.[name] !== undefined).map((name) => `${name}=${part[name]}`);
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

/**
 * A file of the page itself, by its path below the page's folder: a Blob, since the caller reads its text. What the browser has cached
 * will do, so it may be available after miniprofd has gone.
 */
export async function fetchPageFile(path) {
  const words = `The page's own ${path} is unavailable: miniprofd does not answer.`;
  const response = await fetch(new URL(`../${path}`, import.meta.url), { cache: 'force-cache' }).catch(() => null);
  if (response === null || !response.ok) throw new ApiError(response?.status ?? 0, 'No answer', words);
  return response.blob();
}

/** The whole snapshot, or one of `part`, see within(). */
export const fetchSnapshot = (part = null, signal = undefined) =>
  ask(`snapshot${within(part)}`, { signal });
/**
 * The calls of a time range, merged to at most `max` rows; without a range, of all buffered time. With `columns`, the answer also
 * has the load of the contexts, in at most that many columns.
 */
export const fetchTimeline = (part, max, signal, columns = 0) =>
  ask(`timeline?max=${max}${columns > 0 ? `&load=${columns}` : ''}${within(part).replace('?', '&')}`, { signal });
/** The link's history since the daemon began to read, and when each counter last grew. */
export const fetchHistory = () => ask('link/history');
/** The prerequisites of a profile, as checked by the daemon: { findings: [{ verdict: 'ok', 'warn' or 'fail', text }] }. */
export const fetchDoctor = () => ask('doctor');
export const fetchStatus = () => ask('status');
/** One function, over all time or in `part`. */
export const fetchFunction = (id, part = null) => ask(`functions/${id}${within(part)}`);
/** How it did over time, in at most that many columns; without a stretch, over all that the daemon has kept. */
export const fetchOverTime = (id, part, columns) => ask(`functions/${id}/over-time?columns=${columns}${within(part).replace('?', '&')}`);
/** The times from start to start of a function's buffered calls. */
export const fetchPeriods = (id, part) => ask(`functions/${id}/periods${within(part)}`);
export const fetchSource = (id, part = null) => ask(`functions/${id}/source${within(part)}`);
/** Keeps the present state: { pause (its id), sequence, seconds (lifetime after the last request) }. */
export const beginPause = () => post('pauses');
/** Releases a pause, even if it no longer exists; works while the page is being closed. */
export const endPause = (pause) => post('pauses/end', { pause }, { keepalive: true }).catch(() => {});
/** `payload`: hex digits, for a configuration. */
export const sendDevice = (command, payload) => post(`device/${command}`, payload ? { payload } : {});
/** Sets a setting that the target offers; the answer has the target's state after it. */
export const setDevice = (name, value) => post('device/config', { name, value });
/** 'auto', 'stream', 'tree' or 'calls' */
export const setMode = (mode) => post('device/mode', { mode });
/** Sets which windows are kept: { when: 'spi_read>500us' }, { when: null } for none, or { now: true }. */
export const setTrigger = (wish) => post('device/trigger', wish);
/** Adds a limit such as 'control_cycle:p99<500us'; the answer has all limits. */
export const setLimit = (limit) => post('limits', { limit });
/** All limits, and the newest breaches: { limits, breaches: { rows: [{ limit (an id), from, ticks, at, value }] } }. */
export const fetchLimits = () => ask('limits');
export const endLimit = (id) => post('limits/end', { id });
/** The slowest calls over all functions, and the reason for the duration of each, of `part` as within() has it. */
export const fetchSlowest = (part = null, signal = undefined) => ask(`slowest${within(part)}`, { signal });
/** Responses and the longest waits of each context in `part`. */
export const fetchTasks = (part = null, signal = undefined) => ask(`tasks${within(part)}`, { signal });
/** Shares of a context's time in a range: ran, preempted, blocked. */
export const fetchSplit = (context, part) => ask(`split${within(part)}&context=${context}`);
/** The recordings of this run: { recordings: [{ path, at, bytes, limit (it is kept for), open (it goes on) }] }. */
export const fetchRecordings = () => ask('recordings');
/** Reads one of them and keeps it as beginPause() does. */
export const openRecording = (path) => post('recordings/open', { path });
/** What views ask for as it is (host.js). */
export const forViews = { fetchHistory, fetchDoctor, setDevice, setMode, setTrigger };
export const startRecording = () => post('record/start');
export const stopRecording = () => post('record/stop');
export const clearProfile = () => post('profile/clear');
export const exportAddress = (format, part = null) =>
  new URL(`export/${encodeURIComponent(format)}${within(part)}`, base).href;

/** The bytes of an export, an ArrayBuffer. */
export async function fetchExport(format, part = null) {
  const response = await fetch(exportAddress(format, part), { cache: 'no-store' }).catch(() => null);
  if (response === null) throw new ApiError(0, 'No answer', 'miniprofd does not answer. Is it still running?');
  if (!response.ok) throw new ApiError(response.status, `HTTP ${response.status}`, `miniprofd cannot export ${format} now.`);
  return response.arrayBuffer();
}

const retryMs = 1500;

/**
 * Opens the stream of updates and keeps it open until the returned function is called. `on` has up(), down() and one
 * function per event (hello, snapshot, delta, status), called with the parsed data. Messages and checkpoints come with
 * snapshots and deltas. The browser reconnects with Last-Event-ID by itself; a new stream is opened only if it gives
 * up.
 */
export function openEvents(on) {
  let source = null;
  let timer = 0;
  let closed = false;

  function open() {
    source = new EventSource(new URL('events', base));
    source.onopen = () => on.up();
    source.onerror = () => {
      on.down();
      if (source.readyState === EventSource.CLOSED && !closed) {
        clearTimeout(timer);
        timer = setTimeout(open, retryMs);
      }
    };
    for (const name of ['hello', 'snapshot', 'delta', 'status'])
      source.addEventListener(name, (event) => on[name](JSON.parse(event.data)));
  }

  open();
  return () => {
    closed = true;
    clearTimeout(timer);
    source.close();
  };
}
