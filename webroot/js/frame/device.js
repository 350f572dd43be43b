// device.js - what is asked of the device and the daemon, and how their answers are shown.

import { button, setAttr } from '../dom.js';
import { answerWords, commands, refusalWords, whyNoCommand, whyNot } from '../model/device.js';
import { count } from '../model/format.js';
import { settingsOf } from '../model/setting.js';
import { openMenu } from './menu.js';
import { askForPayload } from './payload.js';
import { createRecord } from './record.js';

const keyOf = { start: 'Shift+S', stop: 'Shift+X', reset: 'Shift+R' };
const group = 'Device';

/**
 * on: { api, toast, live (the profile as it comes in), answers() (whether the daemon does), cleared() (called when the
 * profile has been forgotten), undo (keeps what that was: undo.js), showSettings() (goes to where they can be changed) }. The answer: the Record and Device buttons, a note beside them of how long and
 * large the recording is, update() for these, `tell(command)`, clear(), and the keys.
 */
export function createDevice(on) {
  const record = createRecord(on);
  const showMenu = () => openDeviceMenu(on, menu.offsetParent === null ? belowConnection() : menu);
  const menu = button('device', 'Device', showMenu, { keys: 'Shift+D', tip: 'Device commands (Shift+D)' });
  menu.classList.add('minor');
  setAttr(menu, 'aria-haspopup', 'menu');
  setAttr(menu, 'aria-expanded', 'false');
  const command = (name) => ({ keys: [keyOf[name]], label: commands[name].label, group, run: () => tell(on, name) });
  return {
    buttons: [record.root, menu],
    note: record.note,
    tell: (name) => tell(on, name),
    clear: () => clear(on),
    update() {
      record.update();
      menu.disabled = !on.answers();
    },
    actions: [
      ...Object.keys(keyOf).map(command),
      { keys: ['Shift+C'], label: 'Clear the profile', group, run: () => clear(on) },
      { keys: ['Shift+Z'], label: 'Undo Clear: show what was there', group, run: () => unclear(on) },
      { keys: ['Shift+D'], label: 'Device commands', group, run: showMenu },
      { keys: ['Shift+E'], label: 'Record into a file, or end it', group, run: record.toggle },
    ],
  };
}

/** Where the menu opens while the panel, which has its button, is closed. */
function belowConnection() {
  const { left, bottom } = document.getElementById('connection').getBoundingClientRect();
  return { x: left, y: bottom };
}

async function tell({ api, toast, live }, command, payload) {
  if (command === 'start' && live.target.profiling === true) {
    toast('info', 'Start', `Not now: ${whyNot(command, live, true)}.`);
    return;
  }
  try {
    const words = answerWords(command, await api.sendDevice(command, payload));
    toast(words.level, words.title, words.text);
  } catch (error) {
    const words = refusalWords(command, error);
    toast(words.level, words.title, words.text);
  }
}

async function clear(on) {
  const { api, toast, live, cleared, undo } = on;
  const { calls } = live;
  const before = await undo.prepare();
  try {
    await api.clearProfile();
    undo.take(before);
    const words = `${count(calls)} calls forgotten; counting from zero.`;
    on.saidCleared = toast('ok', 'Cleared', words, { label: 'Undo', keys: 'Shift+Z', run: () => unclear(on, before) });
    cleared();
  } catch (error) {
    undo.drop(before);
    toast('bad', `Clear: ${error.title}`, error.message);
  }
}

/** `before` is undo.js's record of the clearing to undo; by default the last one. */
function unclear({ toast, undo, saidCleared }, before) {
  if (undo.show(before)) return saidCleared?.();
  const words = before ? 'Only the last cleared profile is kept, for half an hour.' : 'Nothing was cleared here within the last half hour.';
  toast('info', 'Undo Clear', words);
}

function openDeviceMenu(on, anchor) {
  const why = whyNoCommand(on.live, on.answers());
  const items = Object.entries(commands)
    .filter(([command]) => command !== 'config')
    .map(([command, { label }]) => ({
    label,
    key: keyOf[command],
    disabled: whyNot(command, on.live, on.answers()) !== '',
    run: () => tell(on, command),
  }));
  items.push({ label: 'Recordings…', run: on.showRecordings }, { ...configItem(on), disabled: why !== '' });
  openMenu(anchor, 'Device', items, why === '' ? '' : `Not now: ${why}.`);
}

/** Raw bytes are for devices that do not describe their settings. */
function configItem(on) {
  return settingsOf(on.live).length > 0
    ? { label: 'Settings…', run: on.showSettings }
    : { label: 'Send configuration…', run: () => askForPayload((hex) => tell(on, 'config', hex)) };
}
