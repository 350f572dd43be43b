// settings.js - the card of what can be set on the device: a form each, sent with Enter or Apply.

import { el, setAttr, setText } from '../../dom.js';
import { whyNoCommand } from '../../model/device.js';
import { rangeWords, settingsOf, valueOf } from '../../model/setting.js';

/** A card that is hidden while there is nothing to set; update() keeps it current. */
export function createSettings(host) {
  const rows = el('div', { class: 'setting-rows' });
  const why = el('p', { class: 'setting-why' });
  const root = el('section', { class: 'card settings', id: 'settings', hidden: true }, el('h2', {}, 'Settings of the device'), why, rows);
  const card = { host, root, rows, why, known: '', forms: [] };
  return { root, update: () => update(card) };
}

/** Another device, or another firmware, has other settings; the same one has other values. */
const whatThereIs = (settings) => JSON.stringify(settings.map(({ name, unit, least, most }) => [name, unit, least, most]));

function update(card) {
  const { host } = card;
  const settings = settingsOf(host.live);
  const known = whatThereIs(settings);
  if (known !== card.known) {
    card.known = known;
    card.forms = settings.map((setting, index) => createForm(host, setting, index));
    card.rows.replaceChildren(...card.forms.map(({ root }) => root));
  }
  card.root.hidden = settings.length === 0;
  const why = host.setDevice === null ? 'this is a report' : whyNoCommand(host.live, host.answers);
  setText(card.why, why === '' ? '' : `Not now: ${why}.`);
  card.forms.forEach((form, index) => showValue(form, settings[index], why !== ''));
}

function createForm(host, setting, index) {
  const id = `setting-${index}`;
  const input = el('input', {
    id,
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': `${id}-range ${id}-said`,
  });
  const apply = el('button', { type: 'submit', class: 'button small', 'aria-label': `Apply ${setting.name}` }, 'Apply');
  const said = el('output', { id: `${id}-said`, for: id });
  const root = el(
    'form',
    { class: 'setting' },
    el('label', { for: id }, setting.name),
    input,
    apply,
    el('span', { class: 'setting-range', id: `${id}-range` }, rangeWords(setting)),
    said,
  );
  const form = { host, setting, root, input, apply, said, shown: null, waits: false, barred: false };
  input.addEventListener('input', () => judge(form));
  input.addEventListener('keydown', (event) => takeBack(form, event));
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
  return form;
}

const isTouched = ({ input, shown }) => shown !== null && input.value !== shown;

/** What the device says, unless somebody is writing something else. */
function showValue(form, { value }, barred) {
  const text = String(value);
  if (!isTouched(form) && !form.waits) form.input.value = text;
  form.shown = text;
  form.barred = barred;
  form.input.disabled = barred;
  form.apply.disabled = barred || form.waits || !isTouched(form) || 'error' in valueOf(form.setting, form.input.value);
}

function say({ input, said }, level, text) {
  setText(said, text);
  setAttr(said, 'data-level', level);
  setAttr(input, 'aria-invalid', level === 'bad' ? 'true' : null);
}

function judge(form) {
  const { error = '' } = valueOf(form.setting, form.input.value);
  say(form, error === '' ? null : 'bad', error);
  form.apply.disabled = form.waits || error !== '' || !isTouched(form);
}

/** Escape brings back what the device says. */
function takeBack(form, event) {
  if (event.key !== 'Escape' || !isTouched(form)) return;
  event.preventDefault();
  form.input.value = form.shown;
  judge(form);
}

async function send(form) {
  const { host, setting, input } = form;
  const { value } = valueOf(setting, input.value);
  if (value === undefined || form.waits || form.barred || !isTouched(form)) return;
  form.waits = true;
  form.apply.disabled = true;
  say(form, null, 'Asking the device…');
  try {
    const answer = await host.setDevice(setting.name, value);
    const now = settingsOf(answer).find(({ name }) => name === setting.name)?.value ?? value;
    form.shown = input.value = String(now);
    say(form, 'ok', now === value ? 'Set.' : `The device made ${now} of it.`);
  } catch (error) {
    say(form, 'bad', error.message);
  }
  form.waits = false;
  host.redraw();
}
