// limithits.js - lists calls that broke a limit or met a trigger, with links to the timeline and to kept recordings.

import { button, el, setText } from '../dom.js';
import { hitsOf, recordingOf } from '../model/limits.js';

const everyMs = 2000;
const listed = 20;

/** on: { api, live, time, show(hit) (goes there), openRecording(path, hit), copy(text, what) }. The answer: root, and update(), which asks for what was broken, once in two seconds. */
export function createLimitHits(on) {
  const hits = { on, answer: null, askedAt: -Infinity, key: '', head: el('h3', {}), list: el('ul', { class: 'limit-hits', 'aria-label': 'Hits, newest first' }) };
  hits.root = el('section', { hidden: true }, hits.head, hits.list);
  return { root: hits.root, update: () => update(hits) };
}

async function ask(hits) {
  if (performance.now() - hits.askedAt < everyMs || !hits.on.live.limits.some((row) => row.breaches > 0)) return;
  hits.askedAt = performance.now();
  hits.answer = await hits.on.api.fetchLimits().catch(() => hits.answer);
  fill(hits);
}

function update(hits) {
  ask(hits);
  fill(hits);
}

function fill(hits) {
  const { on, list, root, head } = hits;
  const rows = hitsOf(on.live, hits.answer?.breaches?.rows ?? []);
  const key = JSON.stringify([rows.length, rows[0]?.words, rows[0]?.ticks, on.live.source.keeping?.rows.length, on.time.now.zero]);
  if (key === hits.key) return;
  hits.key = key;
  root.hidden = rows.length === 0;
  setText(head, `Hits${rows.length > listed ? `: the newest ${listed}` : ''}`);
  list.replaceChildren(...rows.slice(0, listed).map((row) => createRow(on, row)));
}

function createRow(on, hit) {
  const { live, time } = on;
  const path = hit.at === undefined ? '' : recordingOf(live, hit);
  const go = el('button', { type: 'button', class: 'link', onclick: () => on.show(hit) }, hit.words);
  const replay = button('copy', 'Copy replay command', () => on.copy(`miniprofd --port 'file:${path.replaceAll("'", "'\\''")}'`, 'Command'), { tip: `Opens ${path} in a page of its own` });
  replay.classList.add('small');
  const open = el('button', { type: 'button', class: 'button small', title: `Shows ${path} here; the live profile continues`, onclick: () => on.openRecording(path, hit) }, 'Open recording');
  return el('li', {}, go, el('span', {}, ` at ${time.now.moment(hit.ticks, Math.max(hit.ticks - hit.from, 1))}`), ...(path === '' ? [] : [open, replay]));
}
