// header.js - the strip that is always in sight: connection, target, rates, losses, and the buttons.

import { button, setAttr } from '../dom.js';
import { whyNot } from '../model/device.js';
import { markMore } from '../part/more.js';
import { createBadges } from './badges.js';
import { createConnection } from './connection.js';
import { createFacts } from './facts.js';

const byId = (id) => document.getElementById(id);

/** The buttons that command the device: what they are called, their key, and what they do. */
const deviceCommands = {
  start: ['play', 'Start', 'Shift+S', 'Start profiling on the device (Shift+S)'],
  stop: ['stop', 'Stop', 'Shift+X', 'Stop profiling on the device (Shift+X)'],
  reset: ['reset', 'Reset', 'Shift+R', 'Empty the buffers on the device (Shift+R)'],
};

/**
 * `act` names what the buttons do: showLink, device(command), clear, pause, exportMenu(anchor), theme, help;
 * `more` has further buttons about the device and a note to stand among the losses.
 */
export function createHeader(act, more) {
  const connection = createConnection(byId('connection'), act.showLink);
  const facts = createFacts(byId('facts'));
  const badges = createBadges(byId('badges'), act.showLink);
  byId('badges').append(more.note);
  const device = createDeviceButtons(act);
  byId('device').append(...Object.values(device), ...more.buttons);
  markMore(byId('device').parentElement); // it scrolls where the window is narrow
  const page = createPageButtons(act);
  byId('page').append(...Object.values(page), createUnfold(byId('page').closest('header')));
  return {
    exports: page.exports,
    /** Shows the profile's head as it is now. */
    update(profile, state) {
      connection.update(profile, state.answers);
      facts.update(profile, state.answers);
      badges.update(profile);
      showDeviceButtons(device, profile, state.answers);
      setAttr(page.pause, 'aria-pressed', String(state.paused));
      setAttr(page.theme, 'title', `Theme: ${state.theme} (t)`);
      setAttr(page.theme, 'aria-label', `Theme: ${state.theme}`);
    },
  };
}

function createDeviceButtons(act) {
  const buttons = {};
  for (const [command, [icon, label, keys, tip]] of Object.entries(deviceCommands))
    buttons[command] = button(icon, label, () => act.device(command), { keys, tip });
  buttons.clear = button('clear', 'Clear', act.clear, {
    keys: 'Shift+C',
    tip: 'Forget what was measured so far (Shift+C)',
  });
  for (const one of [buttons.reset, buttons.clear]) one.classList.add('minor');
  return buttons;
}

function createPageButtons(act) {
  const pause = button('pause', 'Pause', act.pause, {
    keys: 'Space',
    tip: 'Freeze the view while data keeps coming (Space)',
  });
  const exports = button('export', 'Export', () => act.exportMenu(exports), {
    keys: 'e',
    tip: 'Save the profile in another form (e)',
  });
  setAttr(exports, 'aria-haspopup', 'menu');
  setAttr(exports, 'aria-expanded', 'false');
  const theme = button('theme', 'Theme', act.theme, { iconOnly: true, keys: 't' });
  const help = button('help', 'Keys', act.help, { iconOnly: true, keys: '?' });
  for (const one of [theme, help]) one.classList.add('minor');
  return { pause, exports, theme, help };
}

/** In a low or narrow window the header is a line or two (css/fold.css); this has all of it shown. */
function createUnfold(header) {
  const unfold = button('more', 'All of the header', () => {
    const isFolded = !header.toggleAttribute('data-unfolded');
    setAttr(unfold, 'aria-expanded', String(!isFolded));
  }, { iconOnly: true });
  unfold.classList.add('unfold');
  setAttr(unfold, 'aria-expanded', 'false');
  return unfold;
}

function showDeviceButtons(buttons, profile, answers) {
  for (const [command, [, , , tip]] of Object.entries(deviceCommands)) {
    const why = whyNot(command, profile, answers);
    buttons[command].disabled = why !== '';
    setAttr(buttons[command], 'title', why === '' ? tip : `Not now: ${why}`);
  }
  buttons.start.classList.toggle('primary', !buttons.start.disabled && profile.target.profiling === false);
  buttons.clear.disabled = !answers;
}
