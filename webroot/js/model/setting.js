// setting.js - what the device says can be set there, and what is wrong with a value, as text.

import { count } from './format.js';

// An address, ticks and bits, which a trigger sets by the name of a function and a time (frame/limits.js).
const ofTriggers = ['window', 'window-function', 'window-ticks'];

/** The settings of a profile's target that are set one by one, [{ name, unit, least, most, value }]; none where it does not describe itself. */
export const settingsOf = ({ target }) => (target.description?.settings ?? []).filter(({ name }) => !ofTriggers.includes(name));

/** `words` with the device's unit, in which µ is spelled u. */
const withUnit = (words, unit) => (unit ? `${words} ${unit.replace(/^us$/, 'µs')}` : words);

/** "0 to 1,000 µs" */
export const rangeWords = ({ least, most, unit }) => withUnit(`${count(least)} to ${count(most)}`, unit);

/** "shortest 50 µs (default 0)" */
function measuredWords({ name, value, unit, default: usual, throughout }) {
  return `${withUnit(`${name} ${count(value)}`, unit)} (default ${count(usual)}${throughout ? '' : ', for a part of the time'})`;
}

/** The settings that are known not to be the defaults, as text; none where that is unknown. */
export const deviations = ({ measuredWith }) => (measuredWith ?? []).filter((row) => row.default !== null).map(measuredWords);

/** Parses the text typed for a setting: { value }, or { error } as a sentence. */
export function valueOf(setting, text) {
  const typed = text.trim();
  if (!/^\d+$/.test(typed)) return { error: 'A whole number, such as 10.' };
  const value = Number(typed);
  if (value < setting.least || value > setting.most)
    return { error: `${setting.name} is from ${rangeWords(setting)}.` };
  return { value };
}

const modeWords = new Map([
  ['calls', 'finished calls'],
  ['stream', 'stream'],
  ['tree', 'tree'],
]);

/** The result of setting a value: { now, text }. `answer` has the target after it. */
export function settingAnswer(answer, name, value) {
  const now = settingsOf(answer).find((one) => one.name === name)?.value ?? value;
  return { now: String(now), text: now === value ? 'Set.' : `The device changed it to ${now}.` };
}

/** The selectable modes and their explanations. */
export const modes = new Map([
  ['auto', 'whichever suits'],
  ['stream', 'entries and exits as they happen'],
  ['tree', 'a tree, counted on the device'],
  ['calls', 'each call when it has ended'],
]);

/** True when the target can report its calls in more than one way. */
export const hasModes = ({ target }) => (target.description?.versions ?? []).length > 1;

/** The result of selecting a mode, as a sentence. `target` is its state after it. */
export function modeAnswer(target, wanted) {
  const { mode } = target;
  if (!modeWords.has(mode)) return 'Kept for when it is started.';
  return wanted === 'auto' || wanted === mode ? `Set; it is in mode ${mode}.` : `It cannot do that; it is in mode ${mode}.`;
}

/** The text on how the target reports its calls; null where that is unknown. */
export const modeText = ({ target }) => modeWords.get(target.mode) ?? null;
