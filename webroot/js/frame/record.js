// record.js - the Record button: starts a recording, shows its length and size, stops it.

import { button, el, setAttr, setText } from '../dom.js';
import { isRecording, recordingExtent, whyNoRecord } from '../model/device.js';
import { bytes } from '../model/format.js';

const everyMs = 1000;

/** on: as for createDevice() (device.js). Returns { root, note (shown elsewhere), toggle(), update() }. */
export function createRecord(on) {
  const record = {
    on,
    root: button('record', 'Record', () => toggle(record), { keys: 'Shift+E' }),
    size: el('span', { class: 'record-size' }),
    note: el('span', { class: 'record-note', 'aria-hidden': 'true' }),
    asked: false, // true while the daemon handles the last click, so that a second one does not undo it
    ticking: 0,
  };
  record.root.classList.add('record');
  record.word = record.root.querySelector('span');
  record.root.append(record.size);
  return { root: record.root, note: record.note, toggle: () => toggle(record), update: () => update(record) };
}

async function toggle(record) {
  const { api, toast, live, answers } = record.on;
  if (whyNoRecord(live, answers()) !== '' || record.asked) return;
  record.asked = true;
  const ends = isRecording(live.source);
  try {
    const reply = ends ? await api.stopRecording() : await api.startRecording();
    if (ends) toast('ok', `Recorded ${bytes(reply.bytes)}`, `Saved as ${reply.path}`, { label: 'Open', run: () => record.on.openRecording(reply.path) });
    else toast('info', 'Recording', `Into ${reply.path}`);
  } catch (error) {
    toast('bad', `Record: ${error.title}`, error.message === error.title ? '' : error.message);
  } finally {
    record.asked = false;
  }
}

function tipOf(why, { recording }, isOn) {
  if (why !== '') return `Not now: ${why}`;
  if (isOn) return `Recording into ${recording.path}; press to end it (Shift+E)`;
  return 'Record the bytes from now on in a file (Shift+E)';
}

function update(record) {
  const { live, answers } = record.on;
  const { source } = live;
  const isOn = isRecording(source);
  const [clock, extent] = isOn ? recordingExtent(source.recording, Date.now()) : ['Record', ''];
  const why = whyNoRecord(live, answers());
  setAttr(record.root, 'aria-pressed', String(isOn));
  setText(record.word, clock);
  setText(record.size, extent);
  setText(record.note, isOn ? `${clock} · ${extent}` : '');
  record.root.disabled = why !== '';
  setAttr(record.root, 'title', tipOf(why, source, isOn));
  // The clock must run even without new data.
  if (isOn && record.ticking === 0) record.ticking = setInterval(() => update(record), everyMs);
  if (!isOn) {
    clearInterval(record.ticking);
    record.ticking = 0;
  }
}
