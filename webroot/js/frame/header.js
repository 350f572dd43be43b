// header.js - the line that is always visible: connection, tabs, losses, load, pause, search, share; and the menu of all else.

import { button, el, setAttr } from '../dom.js';
import { whyNot } from '../model/device.js';
import { createBadges } from './badges.js';
import { createConnection } from './connection.js';
import { createFacts } from './facts.js';

const byId = (id) => document.getElementById(id);

/** The device buttons: icon, label, key and tip. */
const deviceCommands = {
  start: ['play', 'Start', 'Shift+S', 'Start profiling on the device (Shift+S)'],
  stop: ['stop', 'Stop', 'Shift+X', 'Stop profiling on the device (Shift+X)'],
  reset: ['reset', 'Reset', 'Shift+R', 'Empty the buffers on the device (Shift+R)'],
};

/**
 * `act` has the buttons' actions: showPanel, device(command), pause, shareMenu(anchor), moreMenu(anchor). `more` has
 * further device buttons, and a note shown beside the losses. `device` and `facts` of the result are for the connection
 * panel.
 */
export function createHeader(act, more) {
  const connection = createConnection(byId('connection'), act.showPanel);
  const list = el('dl', { class: 'facts', id: 'target', 'aria-label': 'Target and line' });
  const facts = createFacts(byId('facts'), list);
  const badges = createBadges(byId('badges'), act.showPanel);
  byId('badges').append(more.note);
  const device = createDeviceButtons(act);
  const page = createPageButtons(act);
  byId('page').append(page.pause);
  byId('share').append(page.exports, page.more);
  return {
    exports: page.exports,
    more: page.more,
    facts: list,
    device: el('div', { class: 'group', id: 'device', role: 'group', 'aria-label': 'Device' }, ...Object.values(device), ...more.buttons),
    /** Shows the present profile's head. */
    update(profile, state) {
      connection.update(profile, state.answers);
      facts.update(profile, state.answers);
      badges.update(profile);
      showDeviceButtons(device, profile, state.answers);
      setAttr(page.pause, 'aria-pressed', String(state.paused));
    },
  };
}

function createDeviceButtons(act) {
  const buttons = {};
  for (const [command, [icon, label, keys, tip]] of Object.entries(deviceCommands))
    buttons[command] = button(icon, label, () => act.device(command), { keys, tip });
  return buttons;
}

function createPageButtons(act) {
  const pause = button('pause', 'Pause', act.pause, {
    keys: 'Space',
    tip: 'Freeze the view while data keeps coming (Space)',
  });
  const exports = button('export', 'Share', () => act.shareMenu(exports), {
    keys: 'e',
    tip: 'A file, link or picture of this; other programs and formats (e)',
  });
  const more = button('more', 'More', () => act.moreMenu(more), { iconOnly: true, tip: 'Record, clear, limits, theme, keys' });
  for (const one of [exports, more]) {
    setAttr(one, 'aria-haspopup', 'menu');
    setAttr(one, 'aria-expanded', 'false');
  }
  return { pause, exports, more };
}

function showDeviceButtons(buttons, profile, answers) {
  for (const [command, [, , , tip]] of Object.entries(deviceCommands)) {
    const why = whyNot(command, profile, answers);
    buttons[command].disabled = why !== '';
    setAttr(buttons[command], 'title', why === '' ? tip : `Not now: ${why}`);
  }
  buttons.start.classList.toggle('primary', !buttons.start.disabled && profile.target.profiling === false);
}
