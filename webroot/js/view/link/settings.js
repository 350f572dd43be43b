// settings.js - the card of what can be set on the device, and how it is to report its calls.

import { el, setText } from '../../dom.js';
import { whyNoCommand } from '../../model/device.js';
import { hasModes, modeAnswer, modes, rangeWords, settingAnswer, settingsOf, valueOf } from '../../model/setting.js';
import { createSetting } from './setting.js';

/** A folded card, which is hidden if there are no settings; the Device menu unfolds it. */
export function createSettings(host) {
  const card = { host, known: '', lines: [], rows: el('div'), why: el('p', { class: 'setting-why' }), mode: createMode(host) };
  card.root = el(
    'details',
    { class: 'card settings', id: 'settings', hidden: true },
    el('summary', {}, 'Settings of the device'),
    card.why,
    card.rows,
    card.mode.root,
  );
  return { root: card.root, update: () => update(card) };
}

/** Identifies the settings without their values: they differ with the device and its firmware. */
const whatThereIs = (settings) => JSON.stringify(settings.map(({ value, ...fixed }) => fixed));

function update(card) {
  const { host } = card;
  const { live } = host;
  const settings = settingsOf(live);
  const known = whatThereIs(settings);
  if (known !== card.known) {
    card.known = known;
    card.lines = settings.map((setting, index) => createValue(host, setting, index));
    card.rows.replaceChildren(...card.lines.map(({ root }) => root));
  }
  card.mode.root.hidden = !hasModes(live);
  card.root.hidden = settings.length === 0 && card.mode.root.hidden;
  const why = host.setDevice === null ? 'this is a report' : whyNoCommand(live, host.answers);
  setText(card.why, why && `Not now: ${why}.`);
  card.lines.forEach((line, index) => line.update(String(settings[index].value), why !== ''));
  card.mode.update(live.target.mode_wanted ?? 'auto', why !== '');
}

function createValue(host, setting, index) {
  const field = el('input', {
    id: `setting-${index}`,
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  return createSetting(host, {
    field,
    label: setting.name,
    judge: (text) => valueOf(setting, text),
    send: async (value) => settingAnswer(await host.setDevice(setting.name, value), setting.name, value),
    tip: () => rangeWords(setting),
  });
}

function createMode(host) {
  const options = [...modes.keys()].map((mode) => el('option', { value: mode }, mode));
  return createSetting(host, {
    field: el('select', { id: 'setting-mode' }, ...options),
    label: 'mode',
    judge: (value) => ({ value }),
    send: async (mode) => ({ now: mode, text: modeAnswer((await host.setMode(mode)).target, mode) }),
    tip: (mode) => modes.get(mode) ?? '',
  });
}
