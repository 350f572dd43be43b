// health.js - how the connection is, in words: states, notices, and what to do about them.

import { count } from './format.js';

const sum = (link, ...names) => names.reduce((total, name) => total + (link[name] ?? 0), 0);

const lineUseMost = 120;

/**
 * How full the line is in percent, or null when that cannot be said: without a baud rate, and where more
 * comes in than the baud rate can carry. USB and pseudo terminals take any rate and hold to none.
 */
export function lineUse(link) {
  const percent = link.line_use_percent ?? null;
  return percent !== null && percent <= lineUseMost ? percent : null;
}

const headers = {
  'AA 55': 'AA 55, most significant byte first',
  '55 AA': '55 AA, least significant byte first',
};
const starts = {
  '0xFFFF': '0xFFFF, as the protocol says',
  '0x0000': '0x0000, as some firmware has it',
};

/** Which of the two forms the target's packets begin in, in words. */
export const headerWords = (link) => headers[link.header_order] ?? link.header_order ?? 'no packet yet';

/** Which start value makes the target's checksums right, in words. */
export const crcWords = (link) => starts[link.crc_init] ?? link.crc_init ?? 'no packet yet';

export const lostRecords = (link) => link.records_lost ?? 0;
export const damagedPackets = (link) => sum(link, 'crc_errors', 'framing_errors', 'malformed');

/**
 * The connection in a few words: { level: 'ok'|'busy'|'warn'|'bad', title, detail }. `answers` says whether
 * the daemon itself answers; without it nothing else is known.
 */
export function connectionState(profile, answers) {
  const { source, target } = profile;
  const port = source.port ?? 'the port';
  if (!answers)
    return {
      level: 'bad',
      title: profile.loaded ? 'miniprofd is gone' : 'Reaching miniprofd',
      detail: 'trying again',
    };
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

const functionsOf = ['tree', 'arcs', 'samples'];

/** Whether an ELF would help: not where the target tells of no functions, or has named all it told of. */
function wantsNames(profile) {
  if (!functionsOf.some((what) => profile.provides(what))) return false;
  if (profile.functions.length > 0) return profile.functions.some((fn) => fn?.address);
  return !profile.source.dialect_provides?.includes('messages');
}

const tellingLeast = 4;

/** Whether so few addresses have a name that the ELF can hardly be that of the program. */
function isForeign({ functions }) {
  const told = functions.filter((fn) => fn?.address);
  const nameless = told.filter((fn) => /^0x[0-9a-f]+$/i.test(fn.name)).length;
  return told.length >= tellingLeast && nameless > told.length / 2;
}

/**
 * Lines to show above every view: [{ id, level, title, text }]. Each says what is happening and what to do.
 */
export function notices(profile, answers) {
  const { source, target } = profile;
  const list = [];
  if (!answers && profile.loaded) {
    list.push({
      id: 'daemon',
      level: 'bad',
      title: 'miniprofd does not answer.',
      text: 'What you see is the last it told. Is it still running? This page reconnects by itself.',
    });
    return list;
  }
  if (!profile.loaded) return list;
  if (source.state === 'lost') {
    list.push({
      id: 'lost',
      level: 'bad',
      title: 'The device is gone.',
      text:
        `${sentence(source.detail) || `${source.port} does not answer.`} Check cable and power; miniprofd keeps ` +
        'trying and goes on by itself. What was measured stays.',
    });
  } else if (source.state === 'connected' && source.detail && profile.link?.records > 0) {
    // Without records the empty state says it.
    list.push({ id: 'device', level: 'warn', title: 'The device needs a look.', text: sentence(source.detail) });
  }
  if (source.recording?.error) {
    list.push({
      id: 'recording',
      level: 'bad',
      title: 'The recording broke off.',
      text: sentence(source.recording.error),
    });
  }
  if (target.elf_match === false) {
    const id = target.elf_build_id ? ` The device reports build ${target.elf_build_id}.` : '';
    list.push({
      id: 'elf',
      level: 'bad',
      title: 'This ELF is not what the device runs.',
      text: `Names may be wrong.${id} Flash this build, or start miniprofd with the ELF that was flashed.`,
    });
  } else if (source.elf === null && wantsNames(profile)) {
    list.push({
      id: 'symbols',
      level: 'info',
      title: 'No ELF given: addresses instead of names.',
      text: 'Start miniprofd with --elf firmware.elf to see functions, files and lines.',
    });
  } else if (source.elf?.state === 'no symbols') {
    list.push({
      id: 'symbols',
      level: 'warn',
      title: 'The ELF has no symbols: addresses instead of names.',
      text: `Give ${source.elf.path ?? 'miniprofd'} as it comes from the linker, before strip or objcopy.`,
    });
  } else if (source.elf?.state === 'unreadable') {
    list.push({
      id: 'symbols',
      level: 'warn',
      title: 'The ELF cannot be read as it is now.',
      text: `The names read before stay. ${source.elf.path} is read again when it changes; link it again.`,
    });
  } else if (source.elf && target.elf_match !== true && isForeign(profile)) {
    list.push({
      id: 'elf',
      level: 'warn',
      title: 'Most functions are not in this ELF.',
      text:
        'It has no name for most of the addresses that the device tells, and the others may be wrong. ' +
        'Start miniprofd with the ELF that was flashed.',
    });
  }
  return list;
}

function sentence(text) {
  if (!text) return '';
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/**
 * What to say in place of a graph with nothing in it: { level, title, text, checks, act }. `checks` are
 * things to look at, one line each; `act` is a device command to offer, or ''. `filtered`: there is
 * something, but all of it is hidden.
 */
export function emptyState(profile, answers, filtered = false) {
  return { checks: [], act: '', ...emptyWords(profile, answers, filtered) };
}

/**
 * What to say in place of a timeline with nothing in it; as emptyState. `read`: what is known of the timeline, {
 * trouble, loaded }.
 */
export function emptyTimeline(profile, answers, { trouble, loaded }) {
  if (!profile.loaded) return emptyState(profile, answers);
  if (!profile.provides('timeline')) {
    return {
      level: 'warn',
      title: 'No timeline in this dialect',
      text:
        `${profile.source.dialect} adds up on the target and does not say when a call ran. ` +
        'The dialects miniprof, fprime, tfm and syst do.',
      checks: [],
      act: '',
    };
  }
  if (trouble !== '') {
    return {
      level: 'bad',
      title: 'The timeline cannot be read',
      text: `${sentence(trouble)} This page goes on trying by itself.`,
      checks: [],
      act: '',
    };
  }
  if (!loaded) return { level: 'busy', title: 'Loading', text: 'Reading the last calls.', checks: [], act: '' };
  return emptyState(profile, answers);
}

function wiringChecks(source) {
  return [
    `Both ends speak the same baud rate${source.baud ? ` (here ${count(source.baud)})` : ''}.`,
    'TX of the board goes to RX of the adapter, RX to TX, and ground to ground.',
    'The firmware runs and links the profiling agent.',
    'No other program has the port open.',
  ];
}

/** Who fills the views that most dialects leave empty, and how to get there. */
const sources = {
  checkpoints: {
    title: 'No checkpoints in this dialect',
    text: 'Checkpoints come from the TF-M profiler: its database dump, its text lines, or the averages it prints.',
    checks: [
      'Start miniprofd with --dialect tfm.',
      'Names, pairs to measure, calibration and clock come from a file: --dialect-opt names=names.json.',
      'A dump inside MiniProfiler packets (EXTENSION) is shown here, too.',
    ],
    waiting: 'A pair of checkpoints is shown as soon as the target has passed both.',
  },
  messages: {
    title: 'No messages in this dialect',
    text: 'Messages come from MIPI SyS-T: hex lines in a log, raw binary, or STP nibbles.',
    checks: [
      'Start miniprofd with --dialect syst.',
      'The texts of catalog messages come from a file: --dialect-opt collateral=lib.xml.',
      'Messages inside MiniProfiler packets (EXTENSION) are shown here, too.',
    ],
    waiting: 'The target has said nothing yet.',
  },
};

/** The same for a view of `what`: 'checkpoints' or 'messages'. */
export function emptyStateOf(what, profile, answers) {
  const { source } = profile;
  const { waiting, ...elsewhere } = sources[what];
  if (!profile.loaded || ['lost', 'connecting', undefined].includes(source.state))
    return emptyState(profile, answers);
  if (!profile.provides(what))
    return {
      level: 'info',
      act: '',
      ...elsewhere,
      text: `${elsewhere.text} This target speaks ${source.dialect ?? 'another dialect'}.`,
    };
  if (source.state === 'ended')
    return {
      level: 'warn',
      act: '',
      title: `No ${what} in this recording`,
      text: `${source.port ?? 'The recording'} ended without any. The Link view tells what was in it.`,
      checks: [],
    };
  return { level: 'busy', act: '', title: `Connected, no ${what} yet`, text: waiting, checks: [] };
}

function emptyWords(profile, answers, filtered) {
  const { source, target } = profile;
  if (filtered) {
    return {
      level: 'warn',
      title: 'Nothing is left to show',
      text: 'What is hidden or in focus leaves no frame. Undo it above, or press u.',
    };
  }
  const port = source.port ?? 'the port';
  if (!profile.loaded) {
    return answers
      ? { level: 'busy', title: 'Loading', text: 'Reading what has been measured so far.' }
      : {
          level: 'busy',
          title: 'Reaching miniprofd',
          text: 'No answer yet. This page goes on trying by itself.',
        };
  }
  if (source.state === 'lost') {
    return {
      level: 'bad',
      title: 'Connection lost',
      text: `${sentence(source.detail) || `${port} went away.`} miniprofd keeps trying and goes on by itself.`,
      checks: ['The cable is plugged in at both ends.', 'The board has power and is not held in reset.'],
    };
  }
  if (source.state === 'connecting' || source.state === undefined) {
    // A port that cannot be opened says why by itself; wiring is the next question.
    const opened = !source.baud_wanted || source.baud;
    return {
      level: 'busy',
      title: `Waiting for ${port}`,
      text: sentence(source.detail) || 'The device has not answered yet.',
      checks: opened ? wiringChecks(source) : [],
    };
  }
  if (source.state === 'ended') {
    return {
      level: 'warn',
      title: 'Nothing in this recording',
      text: `${port} ended without a single call that could be read.`,
      checks: ['The Link view tells what was in it.', 'The dialect may be another one: miniprofd --dialect.'],
    };
  }
  if (!functionsOf.some((what) => profile.provides(what))) {
    return {
      level: 'warn',
      title: 'No calls in this dialect',
      text: `${source.dialect} does not report functions. See the views Checkpoints and Messages.`,
    };
  }
  if (target.profiling === false) {
    return source.listen_only
      ? {
          level: 'warn',
          title: 'Profiling is stopped',
          text: 'miniprofd only listens (--no-control): start profiling on the device.',
        }
      : {
          level: 'warn',
          title: 'Profiling is stopped',
          text: 'The device is there and waits for a command.',
          act: 'start',
        };
  }
  return {
    level: 'busy',
    title: 'Connected, no calls yet',
    text: 'A call is reported when it returns, and none has returned so far.',
    checks: [
      'The code to profile is built with -finstrument-functions.',
      'It runs: a loop that never returns shows what it calls, not itself.',
    ],
  };
}
