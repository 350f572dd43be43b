// device.js - what is asked of the device and the daemon, and how their answers are told.

import { button, el, setAttr, setText } from '../dom.js';
import {
  answerWords,
  commands,
  isRecording,
  payloadOf,
  recordingExtent,
  refusalWords,
  whyNoCommand,
  whyNoRecord,
} from '../model/device.js';
import { bytes, count } from '../model/format.js';
import { openMenu } from './menu.js';

const everyMs = 1000;

/**
 * `live` is the profile as it comes in, answers() whether the daemon does; cleared() is called when the
 * profile has been forgotten. The answer: the Record and Device buttons, a note beside them of how long and
 * large the recording is, update() for these, tell(command), clear(), and the keys.
 */
export function createDevice({ api, toast, live, answers, cleared }) {
  const record = button('record', 'Record', toggleRecording, { keys: 'Shift+E' });
  record.classList.add('record');
  const word = record.querySelector('span');
  const size = el('span', { class: 'record-size' });
  record.append(size);
  const note = el('span', { class: 'record-note', 'aria-hidden': 'true' });
  const menu = button('device', 'Device', showMenu, { keys: 'Shift+D', tip: 'Device commands (Shift+D)' });
  menu.classList.add('minor');
  setAttr(menu, 'aria-haspopup', 'menu');
  setAttr(menu, 'aria-expanded', 'false');

  async function tell(command, payload) {
    try {
      const words = answerWords(command, await api.sendDevice(command, payload));
      toast(words.level, words.title, words.text);
    } catch (error) {
      const words = refusalWords(command, error);
      toast(words.level, words.title, words.text);
    }
  }

  async function clear() {
    const { calls } = live;
    try {
      await api.clearProfile();
      toast('ok', 'Cleared', `${count(calls)} calls forgotten; counting from zero.`);
      cleared();
    } catch (error) {
      toast('bad', `Clear: ${error.title}`, error.message);
    }
  }

  let asked = false; // a second press while the daemon still works on the first would undo it
  async function toggleRecording() {
    const why = whyNoRecord(live, answers());
    if (why !== '' || asked) return;
    asked = true;
    const ends = isRecording(live.source);
    try {
      const reply = ends ? await api.stopRecording() : await api.startRecording();
      if (ends) toast('ok', `Recorded ${bytes(reply.bytes)}`, `Saved as ${reply.path}`);
      else toast('info', 'Recording', `Into ${reply.path}`);
    } catch (error) {
      toast('bad', `Record: ${error.title}`, error.message === error.title ? '' : error.message);
    } finally {
      asked = false;
    }
  }

  function showMenu() {
    const why = whyNoCommand(live, answers());
    const keys = { start: 'Shift+S', stop: 'Shift+X', reset: 'Shift+R' };
    openMenu(
      menu,
      'Device',
      Object.entries(commands).map(([command, { label }]) => ({
        label: command === 'config' ? 'Send configuration…' : label,
        key: keys[command],
        disabled: why !== '',
        run: () => (command === 'config' ? askForPayload(tell) : tell(command)),
      })),
      why === '' ? '' : `Not now: ${why}.`,
    );
  }

  let ticking = 0;
  function showRecording() {
    const { source } = live;
    const on = isRecording(source);
    const [clock, extent] = on ? recordingExtent(source.recording, Date.now()) : ['Record', ''];
    const why = whyNoRecord(live, answers());
    setAttr(record, 'aria-pressed', String(on));
    setText(word, clock);
    setText(size, extent);
    setText(note, on ? `${clock} · ${extent}` : '');
    record.disabled = why !== '';
    setAttr(
      record,
      'title',
      why !== ''
        ? `Not now: ${why}`
        : on
          ? `Recording into ${source.recording.path}; press to end it (Shift+E)`
          : 'Keep what comes from now on in a file (Shift+E)',
    );
    // The clock goes on while nothing comes in.
    if (on && ticking === 0) ticking = setInterval(showRecording, everyMs);
    if (!on) {
      clearInterval(ticking);
      ticking = 0;
    }
  }

  function update() {
    showRecording();
    menu.disabled = !answers();
  }

  const group = 'Device';
  return {
    buttons: [record, menu],
    note,
    update,
    tell,
    clear,
    actions: [
      ...[
        ['Shift+S', 'start'],
        ['Shift+X', 'stop'],
        ['Shift+R', 'reset'],
      ].map(([key, command]) => ({
        keys: [key],
        label: commands[command].label,
        group,
        run: () => tell(command),
      })),
      { keys: ['Shift+C'], label: 'Clear the profile', group, run: clear },
      { keys: ['Shift+D'], label: 'Device commands', group, run: showMenu },
      { keys: ['Shift+E'], label: 'Record into a file, or end it', group, run: toggleRecording },
    ],
  };
}

/** Asks for the bytes of a configuration and hands them to `send`. */
function askForPayload(send) {
  const input = el('input', {
    id: 'payload',
    type: 'text',
    placeholder: '0a 1b',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-describedby': 'payload-hint payload-error',
  });
  const error = el('output', { id: 'payload-error', for: 'payload' });
  const submit = el('button', { type: 'submit', class: 'button primary' }, 'Send');
  const form = el(
    'form',
    { class: 'payload' },
    el('label', { for: 'payload' }, 'Payload in hex digits'),
    input,
    el('p', { id: 'payload-hint' }, 'Up to 8 bytes. What they mean is up to the firmware.'),
    error,
    el(
      'div',
      { class: 'payload-buttons' },
      el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel'),
      submit,
    ),
  );
  const dialog = el(
    'dialog',
    { 'aria-label': 'Send a configuration', class: 'small-dialog' },
    el(
      'div',
      { class: 'dialog-head' },
      el('h2', {}, 'Send a configuration'),
      button('close', 'Close', () => dialog.close(), { iconOnly: true }),
    ),
    form,
  );
  const check = () => {
    const { error: what = '' } = payloadOf(input.value);
    setText(error, what);
    setAttr(input, 'aria-invalid', what === '' ? null : 'true');
    submit.disabled = what !== '';
  };
  input.addEventListener('input', check);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { hex } = payloadOf(input.value);
    if (hex === undefined) return;
    dialog.close();
    send('config', hex);
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  input.focus();
}
