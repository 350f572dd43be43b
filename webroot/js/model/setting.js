// setting.js - what the device says can be set there, and what is wrong with a value, in words.

import { count } from './format.js';

/** The settings of a profile's target, [{ name, unit, least, most, value }]; none where it does not describe itself. */
export const settingsOf = ({ target }) => target.description?.settings ?? [];

/** "0 to 1,000 us" */
export const rangeWords = ({ least, most, unit }) => `${count(least)} to ${count(most)}${unit ? ` ${unit}` : ''}`;

/** What was typed for a setting: { value }, or { error } in a sentence. */
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

/** How the target tells its calls, in words; null where nobody knows. */
export const modeText = ({ target }) => modeWords.get(target.mode) ?? null;
