// recordings.js - lists and opens the recordings of this run. The daemon reads an opened one and keeps it as a pause, while the live profile
// continues.

import { el } from '../dom.js';
import { baseName, bytes } from '../model/format.js';
import { breachCall, breachIn, breachPlace } from '../model/limits.js';
import { openDialog } from '../part/dialog.js';

/** on: { api, toast, place, pause }. Returns { open(path, hit), show() }: show() lists them; `hit` is the breach to go to (hitsOf()), or null. */
export function createRecordings(on) {
  return { open: (path, hit = null) => openRecording(on, path, hit), show: () => showList(on) };
}

async function openRecording({ api, toast, place, pause }, path, hit) {
  try {
    const { pause: id } = await api.openRecording(path);
    if (!(await pause.showKept(id))) return;
    const at = hit === null ? { at: '' } : await placeOf(api, pause.profile, id, hit);
    place.go({ pause: String(id), range: '', call: '', spot: '', ...at });
  } catch ({ message }) {
    toast('bad', 'The recording was not opened', message);
  }
}

async function placeOf(api, profile, pause, hit) {
  const there = breachIn(profile, hit);
  const { rows, oldest, newest } = await api.fetchTimeline({ from: there.from, to: there.from, pause }, 1000);
  if (!(oldest <= there.from && there.from <= newest)) return { view: 'timeline', at: '' }; // the recording may have ended before the breach
  return { view: 'timeline', at: breachPlace(there, profile.ticksPerSecond), call: breachCall(there, there.fn, rows) };
}

async function showList(on) {
  const answer = await on.api.fetchRecordings().catch(({ message }) => on.toast('bad', 'Recordings', message) && null);
  if (answer === null) return;
  const none = 'Nothing was recorded in this run. Record (Shift+E) keeps what comes in a file, --keep-breaches the time around broken limits.';
  const row = ({ path, at, bytes: size, limit, open }) => {
    const words = [limit === null ? 'Recorded' : 'Around a broken limit', new Date(at).toLocaleTimeString(), open ? 'goes on' : bytes(size)].join(' · ');
    const press = () => {
      dialog.close();
      openRecording(on, path, null);
    };
    return el('li', {}, el('code', { title: path }, baseName(path)), el('span', { class: 'limit-words' }, words), el('button', { type: 'button', class: 'button', onclick: press }, 'Open'));
  };
  const list = answer.recordings.length === 0 ? el('p', {}, none) : el('ul', { class: 'limit-list' }, ...answer.recordings.map(row));
  const dialog = openDialog('Recordings', el('div', { class: 'limits' }, list));
}
