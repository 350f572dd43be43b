// health.js - how the connection is, in words, and what to do about it.

import { bytes, compact, count, plural } from './format.js';

const sum = (link, ...names) => names.reduce((total, name) => total + (link[name] ?? 0), 0);

/** All that was lost, of whichever kind. */
export const lostRecords = (link) => link.records_lost ?? 0;
export const damagedPackets = (link) => sum(link, 'crc_errors', 'framing_errors', 'malformed');

/**
 * The connection in a few words: { level: 'ok'|'busy'|'warn'|'bad', title, detail }. `answers` says whether the daemon
 * itself answers; without it nothing else is known.
 */
export function connectionState(profile, answers) {
  const { source, target } = profile;
  const port = source.port ?? 'the port';
  if (!answers) return { level: 'bad', title: profile.loaded ? 'miniprofd is gone' : 'Reaching miniprofd', detail: 'trying again' };
  switch (source.state) {
    case 'connected':
      if (target.profiling === false) return { level: 'warn', title: 'Profiling stopped', detail: port };
      return { level: 'ok', title: source.listen_only ? 'Listening' : 'Connected', detail: port };
    case 'lost':
      return { level: 'bad', title: 'Connection lost', detail: port };
    case 'ended':
      return { level: 'ok', title: 'Recording complete', detail: port };
    case 'connecting':
      return { level: 'busy', title: 'Connecting', detail: port };
    default:
      return { level: 'busy', title: 'Starting', detail: port };
  }
}

/** Lines to show above every view: [{ id, level, title, text }]. Each says what is happening and what to do. */
export function notices(profile, answers) {
  const { source, target } = profile;
  const list = [];
  if (!answers && profile.loaded) {
    list.push({ id: 'daemon', level: 'bad', title: 'miniprofd does not answer.',
      text: 'What you see is the last it told. Is it still running? This page reconnects by itself.' });
    return list;
  }
  if (!profile.loaded) return list;
  if (source.state === 'lost') {
    list.push({ id: 'lost', level: 'bad', title: 'The device is gone.',
      text: `${sentence(source.detail) || `${source.port} does not answer.`} Check cable and power; miniprofd keeps trying and goes on by itself. What was measured stays.` });
  }
  if (target.elf_match === false) {
    const id = target.elf_build_id ? ` The device reports build ${target.elf_build_id}.` : '';
    list.push({ id: 'elf', level: 'bad', title: 'This ELF is not what the device runs.',
      text: `Names may be wrong.${id} Flash this build, or start miniprofd with the ELF that was flashed.` });
  } else if (source.elf === null) {
    list.push({ id: 'symbols', level: 'info', title: 'No ELF given: addresses instead of names.',
      text: 'Start miniprofd with --elf firmware.elf to see functions, files and lines.' });
  } else if (source.elf?.state === 'no symbols') {
    list.push({ id: 'symbols', level: 'warn', title: 'The ELF has no symbols: addresses instead of names.',
      text: `Give ${source.elf.path ?? 'miniprofd'} as it comes from the linker, before strip or objcopy.` });
  } else if (source.elf?.state === 'missing') {
    list.push({ id: 'symbols', level: 'warn', title: 'The ELF is missing.',
      text: `${source.elf.path} is read again as soon as it is there.` });
  }
  return list;
}

function sentence(text) {
  if (!text) return '';
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/**
 * What to say in place of a graph with nothing in it: { level, title, text, checks, act }. `checks` are things to look at, one
 * line each; `act` is a device command to offer, or ''.
 */
export function emptyState(profile, answers) {
  return { checks: [], act: '', ...emptyWords(profile, answers) };
}

function emptyWords(profile, answers) {
  const { source, target } = profile;
  const port = source.port ?? 'the port';
  if (!profile.loaded) {
    return answers
      ? { level: 'busy', title: 'Loading', text: 'Reading what has been measured so far.' }
      : { level: 'busy', title: 'Reaching miniprofd', text: 'No answer yet. This page goes on trying by itself.' };
  }
  if (source.state === 'lost') {
    return { level: 'bad', title: 'Connection lost',
      text: `${sentence(source.detail) || `${port} went away.`} miniprofd keeps trying and goes on by itself.`,
      checks: ['The cable is plugged in at both ends.', 'The board has power and is not held in reset.'] };
  }
  if (source.state === 'connecting' || source.state === undefined) {
    return { level: 'busy', title: `Waiting for ${port}`,
      text: sentence(source.detail) || 'The device has not answered yet.',
      checks: [`Both ends speak the same baud rate${source.baud ? ` (here ${count(source.baud)})` : ''}.`,
        'TX of the board goes to RX of the adapter, RX to TX, and ground to ground.',
        'The firmware runs and links the profiling agent.',
        'No other program has the port open.'] };
  }
  if (source.state === 'ended') {
    return { level: 'warn', title: 'Nothing in this recording',
      text: `${port} ended without a single call that could be read.`,
      checks: ['The Link view tells what was in it.', 'The dialect may be another one: miniprofd --dialect.'] };
  }
  if (target.profiling === false) {
    return source.listen_only
      ? { level: 'warn', title: 'Profiling is stopped', text: 'miniprofd only listens (--no-control): start profiling on the device.' }
      : { level: 'warn', title: 'Profiling is stopped', text: 'The device is there and waits for a command.', act: 'start' };
  }
  return { level: 'busy', title: 'Connected, no calls yet',
    text: 'A call is reported when it returns, and none has returned so far.',
    checks: ['The code to profile is built with -finstrument-functions.', 'It runs: a loop that never returns shows what it calls, not itself.'] };
}

/** What the figures of the link mean and what helps: [{ level, title, text }], worst first; never empty. */
export function advice(profile) {
  const { link, source, target } = profile;
  const list = [];
  const use = link.line_use_percent;
  if (use !== null && use !== undefined && use > 80) {
    list.push({ level: use > 95 ? 'bad' : 'warn', title: `The line is ${Math.round(use)} % full.`,
      text: `Raise the baud rate${source.baud ? ` (now ${count(source.baud)})` : ''} on both sides, or send less: exclude small, often-called functions or limit the depth.` });
  }
  if (target.buffer_overflows > 0) {
    list.push({ level: 'warn', title: `The device's buffer overflowed ${plural(target.buffer_overflows, 'time')}.`,
      text: 'Calls come faster than the line carries them; totals are too low. A higher baud rate, an exclude list (-finstrument-functions-exclude-function-list), a depth limit or a larger buffer helps.' });
  }
  if (link.crc_errors > 0) {
    list.push({ level: 'warn', title: `${plural(link.crc_errors, 'packet')} arrived damaged.`,
      text: 'Damaged packets are dropped, never guessed. Look at ground and wiring, cable length, and whether both ends have the same baud rate within 2 %.' });
  }
  if ((link.framing_errors ?? 0) + (link.malformed ?? 0) > 0 && !(link.crc_errors > 0)) {
    list.push({ level: 'warn', title: `${plural((link.framing_errors ?? 0) + (link.malformed ?? 0), 'packet')} could not be read.`,
      text: 'Their checksum is right but their form is not: another program may write to the same UART, or the firmware speaks another dialect.' });
  }
  if (link.bytes > 1000 && !(link.packets > 0)) {
    list.push({ level: 'bad', title: `${bytes(link.bytes)} came in, but not one packet.`,
      text: 'Most often the baud rate differs between the two ends; else the firmware speaks another dialect (--dialect).' });
  }
  if (link.records_lost > 0) {
    list.push({ level: 'warn', title: `${plural(link.records_lost, 'record')} lost on the way.`,
      text: 'The tree is incomplete but not wrong: no call is shown below a caller that did not make it.' });
  }
  if (link.unplaced_calls > 0) {
    list.push({ level: 'info', title: `${plural(link.unplaced_calls, 'call')} without a caller.`,
      text: 'Their caller was lost, has not returned yet, or was entered before profiling began; they stand below "[depth … not seen]".' });
  }
  if (target.elf_match === false) {
    list.push({ level: 'bad', title: 'The ELF is not the one the device runs.',
      text: 'Names may be wrong. Flash this build, or give miniprofd the ELF that was flashed.' });
  }
  if ((link.unsupported_version ?? 0) > 0) {
    list.push({ level: 'warn', title: `${plural(link.unsupported_version, 'packet')} of a version this miniprofd does not know.`,
      text: 'The firmware is newer than the daemon: update miniprofd.' });
  }
  if ((link.unknown_types ?? 0) > 0) {
    list.push({ level: 'info', title: `${plural(link.unknown_types, 'packet')} of an unknown type.`,
      text: 'They were skipped; everything else is read as usual.' });
  }
  const gravity = { bad: 0, warn: 1, info: 2 };
  list.sort((a, b) => gravity[a.level] - gravity[b.level]);
  if (list.length === 0) {
    list.push(link.packets > 0
      ? { level: 'ok', title: 'The link is healthy.', text: `${compact(link.packets)} packets, none damaged, nothing lost.` }
      : { level: 'info', title: 'Nothing has come in yet.', text: 'Figures appear with the first packet.' });
  }
  return list;
}
