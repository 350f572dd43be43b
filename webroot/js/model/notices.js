// notices.js - the text for what is wrong with connection, recording and ELF: what is happening, and what to do.

import { tellsFunctions } from './health.js';
import { bytes, count, sentence } from './format.js';
import { deviations } from './setting.js';

/** True when an ELF would help: not where the target reports no functions, or has named all that it reported. */
function wantsNames(profile) {
  if (!tellsFunctions(profile)) return false;
  if (profile.functions.length > 0) return profile.functions.some((fn) => fn?.address);
  return !profile.source.dialect_provides?.includes('messages');
}

const tellingLeast = 4;
const tellingLeastOfNone = 2; // if no address has a name

/** `{ told, named }`: how many addresses there are, and how many of them the ELF has a name for, when the share is so small that it can hardly be the ELF of the program. */
function foreign({ functions }) {
  const told = functions.filter((fn) => fn?.address);
  const named = told.filter((fn) => !/^0x[0-9a-f]+$/i.test(fn.name)).length;
  const least = named === 0 ? tellingLeastOfNone : tellingLeast;
  return told.length >= least && named < told.length / 2 ? { told: told.length, named } : null;
}

function lostNotice({ source }) {
  if (source.state !== 'lost') return null;
  return {
    id: 'lost',
    level: 'bad',
    title: 'The device is gone.',
    text:
      `${sentence(source.detail) || `${source.port} does not answer.`} Check cable and power; miniprofd keeps ` +
      'trying. Measured data is kept.',
  };
}

function dialectNotice({ source }) {
  if (!source.looks_like) return null;
  return {
    id: 'dialect',
    level: 'warn',
    title: 'The dialect seems to be another one.',
    text:
      `What comes makes no sense as ${source.dialect} but looks like ${source.looks_like}; ` +
      `start miniprofd with --dialect ${source.looks_like}.`,
  };
}

function deviceNotice({ source, link }) {
  // Without records, the empty state reports it.
  if (source.state !== 'connected' || !source.detail || !(link?.records > 0)) return null;
  return { id: 'device', level: 'warn', title: 'The device needs a look.', text: sentence(source.detail) };
}

/** Shown in every view: all times depend on the clock rate. */
export function clockNotice({ target }) {
  if (!target?.clock_doubt) return null;
  return { id: 'clock', level: 'warn', title: 'Times may be wrong.', text: target.clock_doubt };
}

/** Shown if the target's call tree is too small for all chains of callers. */
function chainsNotice({ target }) {
  if (!target?.tree?.doubt) return null;
  return { id: 'chains', level: 'warn', title: 'Not all callers are known.', text: target.tree.doubt };
}

function recordingNotice({ source }) {
  const { error, bytes_lost: lost } = source.recording ?? {};
  if (error) return { id: 'recording', level: 'bad', title: 'The recording broke off.', text: sentence(error) };
  if (!(lost > 0)) return null;
  const text = `The disk does not keep up: ${bytes(lost)} are missing in the recording, and nothing in the profile. Record to a faster disk.`;
  return { id: 'recording', level: 'warn', title: 'The recording has gaps.', text };
}

/** The worst problem with the names, if any. */
function namesNotice(profile) {
  const { source, target } = profile;
  const { elf } = source;
  if (target.elf_match === false) return wrongElf(target);
  if (elf === null) return wantsNames(profile) ? noElf : null;
  if (elf?.state === 'no symbols') return noSymbols(elf);
  if (elf?.state === 'unreadable') return unreadable(elf);
  if (elf?.state === 'reading') return reading(elf);
  // The device can confirm only one program of several.
  const many = elf?.files?.length > 1;
  const few = elf && (many || target.elf_match !== true) ? foreign(profile) : null;
  return few === null ? null : foreignElf(few, many);
}

function wrongElf(target) {
  const id = target.elf_build_id ? ` The device reports build ${target.elf_build_id}.` : '';
  return {
    id: 'elf',
    level: 'bad',
    title: 'This ELF is not what the device runs.',
    text: `Names may be wrong.${id} Flash this build, or start miniprofd with the ELF that was flashed.`,
  };
}

const noElf = {
  id: 'symbols',
  level: 'info',
  title: 'No ELF given: addresses instead of names.',
  text: 'Start miniprofd with --elf firmware.elf to see functions, files and lines.',
};

const noSymbols = ({ path, name = path }) => ({
  id: 'symbols',
  level: 'warn',
  title: 'The ELF has no symbols: addresses instead of names.',
  text: `Give ${name ?? 'miniprofd'} as it comes from the linker, before strip or objcopy.`,
});

const unreadable = ({ path, name = path, error }) => ({
  id: 'symbols',
  level: 'warn',
  title: 'The ELF has changed and cannot be read.',
  text: `Names are those of the old program.${error ? ` ${sentence(error)}` : ''} ${name} is read again when it changes; link it again.`,
});

const reading = ({ path, name = path }) => ({
  id: 'symbols',
  level: 'info',
  title: 'The ELF has changed and is being read.',
  text: `Names are those of the old program until ${name} has been read.`,
});

const foreignElf = ({ told, named }, many) => ({
  id: 'elf',
  level: 'warn',
  title: many
    ? 'Most functions are in none of these ELFs.'
    : named === 0
      ? 'This ELF is probably not what the device runs.'
      : 'Most functions are not in this ELF.',
  text:
    `${count(named)} of ${count(told)} addresses that the device sends are in ${many ? 'them' : 'it'}` +
    `${named === 0 ? '' : ', and their names may be wrong'}. Start miniprofd with the ${many ? 'ELFs that were' : 'ELF that was'} flashed.`,
});

/** What is missing makes every figure one of what arrived, so every view shows this. */
export function incompleteNotice({ incompleteBecause = [] }) {
  if (incompleteBecause.length === 0) return null;
  return {
    id: 'incomplete',
    level: 'warn',
    title: 'This profile is incomplete.',
    text: incompleteBecause.join(' '),
  };
}

/** Settings other than the defaults, with which a profile was measured: its figures are not comparable with others. */
export function settingsNotice(profile) {
  const list = deviations(profile);
  if (list.length === 0) return null;
  const hasTrigger = profile.measuredWith.some(({ name }) => name === 'window');
  return {
    id: 'settings',
    level: 'info',
    title: `Measured with ${list.join(', ')}.`,
    text: hasTrigger
      ? 'While a trigger is armed, the device keeps each entry and exit, and short calls take several times as long.'
      : 'Compare it only with profiles measured in the same way.',
  };
}

const silence = {
  id: 'daemon',
  level: 'bad',
  title: 'miniprofd does not answer.',
  text: 'What you see is the last it sent. Is it still running? This page reconnects by itself.',
};

/** Notices to show above every view: [{ id, level, title, text }]. Each has a problem and its remedy. */
export function notices(profile, answers) {
  if (!profile.loaded) return [];
  if (!answers) return [silence];
  const list = [
    lostNotice(profile) ?? dialectNotice(profile) ?? deviceNotice(profile),
    recordingNotice(profile),
    incompleteNotice(profile),
    settingsNotice(profile),
    clockNotice(profile),
    chainsNotice(profile),
    namesNotice(profile),
  ];
  return list.filter((notice) => notice !== null);
}
