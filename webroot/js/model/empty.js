// empty.js - the texts shown in an empty view: why it is empty, and what to do.

import { count, plural, sentence } from './format.js';
import { tellsFunctions } from './health.js';
import { canKeep, tellsWindowsOnly } from './windows.js';

/**
 * The text for an empty graph: { level, title, text, checks, act }. `checks` are things to check, one line each; `act`
 * is the action offered (part/empty.js), or ''. `filtered`: there is data, but all of it is hidden.
 */
export function emptyState(profile, answers, filtered = false) {
  return { checks: [], act: '', ...emptyWords(profile, answers, filtered) };
}

/** What a graph shows while its first frames are built. */
export const buildingState = { level: 'busy', title: 'Building the graph', text: 'Merging the calls measured so far.', checks: [], act: '' };

/**
 * What to say in place of a timeline with nothing in it; as emptyState. `read`: what is known about the timeline, {
 * trouble, loaded }.
 */
export function emptyTimeline(profile, answers, { trouble, loaded }) {
  if (!profile.loaded) return emptyState(profile, answers);
  if (!profile.provides('timeline')) {
    return {
      level: 'info',
      title: 'No timeline in this dialect',
      text:
        `${profile.source.dialect} adds up on the target and does not say when a call ran. ` +
        'Choose a dialect that reports single calls (docs/formats.md).',
      checks: [],
      act: '',
    };
  }
  if (trouble !== '') {
    return {
      level: 'bad',
      title: 'The timeline cannot be read',
      text: `${sentence(trouble)} This page keeps trying.`,
      checks: [],
      act: '',
    };
  }
  if (!loaded) return { level: 'busy', title: 'Loading', text: 'Reading the last calls.', checks: [], act: '' };
  return tellsWindowsOnly(profile) && ['connected', 'ended'].includes(profile.source.state)
    ? { checks: [], act: '', ...noWindow(profile) }
    : emptyState(profile, answers);
}

/** What the overview says in place of the load over time. */
export const noLoadWords = (profile) =>
  tellsWindowsOnly(profile)
    ? 'Mode tree counts calls on the device: load over time is unknown. Tasks has the load of each context.'
    : 'No call is buffered, so the load over time is unknown.';

/** What the overview says in place of slow calls, if there are none. */
export function noSlowCallWords(profile) {
  if (tellsWindowsOnly(profile)) return 'Mode tree counts calls on the device: which of them were slow is known only around a trigger, which the timeline sets.';
  const made = profile.functions.filter((fn) => fn?.calls > 0).length;
  return `No call of ${made === 1 ? 'the one function' : plural(made, 'function')} was slow: more than 1.2 × its p99, or with few calls twice its median.`;
}

/** For a target that counts its calls itself. */
function noWindow(profile) {
  const counted = 'Mode tree counts calls on the device: sums are exact, but the time at which each ran is unknown.';
  if (profile.source.state === 'ended')
    return { level: 'info', title: 'No timeline in this recording', text: `${counted} It was recorded without a trigger.` };
  const offer =
    canKeep(profile) === false
      ? 'This firmware has no triggers; with an agent that does, the events around a slow call are shown here.'
      : 'Set a trigger: the device then sends what happened around each call that takes too long, and it is shown here.';
  return { level: 'info', title: 'No timeline without a trigger', text: `${counted} ${offer}` };
}

/** What to say in place of the tasks where the target does not report which of them runs. */
export function emptyTasks(profile, answers) {
  const { source } = profile;
  if (!profile.loaded || ['lost', 'connecting', undefined].includes(source.state)) return emptyState(profile, answers);
  return {
    level: 'info',
    title: source.state === 'ended' ? 'No tasks in this recording' : 'This target reports no tasks',
    text: 'It does not say which thread or interrupt runs, so how busy each is cannot be known.',
    checks: [
      'A device with the agent reports it in the modes stream and tree: miniprofd --mode stream.',
      'On a kernel, switches have to be reported to the agent: firmware-ref/README.md says where.',
    ],
    act: '',
  };
}

function wiringChecks(source) {
  return [
    `Both ends speak the same baud rate${source.baud ? ` (here ${count(source.baud)})` : ''}.`,
    'TX of the board goes to RX of the adapter, RX to TX, and ground to ground.',
    'The firmware runs and links the profiling agent.',
    'No other program has the port open.',
  ];
}

/** The sources that fill the views that most dialects leave empty, and how to set them up. */
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

/** The same for a view `what`: 'checkpoints' or 'messages'. */
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
  if (profile.range !== null) return { ...ofRange(`No ${what} in this range`), checks: [] };
  if (source.state === 'ended')
    return {
      level: 'warn',
      act: '',
      title: `No ${what} in this recording`,
      text: `${source.port ?? 'The recording'} ended without any. The connection (Shift+A) shows what was in it.`,
      checks: [],
    };
  return { level: 'busy', act: '', title: `Connected, no ${what} yet`, text: waiting, checks: [] };
}

const loading = { level: 'busy', title: 'Loading', text: 'Reading what has been measured so far.' };

const reaching = {
  level: 'busy',
  title: 'Reaching miniprofd',
  text: 'No answer yet. This page keeps trying.',
};

const hidden = {
  level: 'warn',
  title: 'Nothing is left to show',
  text: 'What is hidden or in focus leaves no frame. Undo it above, or press u.',
};

const onlyIdle = {
  level: 'info',
  title: 'Idle all the time',
  text: 'Nothing but idle time was measured, and it is left out.',
  act: 'idle',
};

const ofRange = (title, why = 'There was none in it, or the profile was cleared since.') => ({
  level: 'info',
  title,
  text: `${why} Show everything (Backspace), or choose another range on the timeline.`,
  act: 'everything',
});

function emptyRange({ to, held_from: held = 0, known = null }) {
  if (held > to) return ofRange('This range is no longer available', 'Its calls have made room for newer ones.');
  if (known === 0) return ofRange('No window is in this range', 'What ran there is not known.');
  return ofRange('No call in this range');
}

const quiet = {
  level: 'busy',
  title: 'Connected, no calls yet',
  text: 'A call is reported when it returns, and none has returned so far.',
  checks: [
    'The code to profile is built with -finstrument-functions.',
    'It runs: a loop that never returns shows what it calls, not itself.',
  ],
};

const lost = ({ port, detail }) => ({
  level: 'bad',
  title: 'Connection lost',
  text: `${sentence(detail) || `${port ?? 'the port'} went away.`} miniprofd keeps trying.`,
  checks: ['The cable is plugged in at both ends.', 'The board has power and is not held in reset.'],
});

function connecting(source) {
  // The detail explains why a port cannot be opened; only an open port needs a check of the wiring.
  const isOpen = !source.baud_wanted || source.baud;
  return {
    level: 'busy',
    title: `Waiting for ${source.port ?? 'the port'}`,
    text: sentence(source.detail) || 'The device has not answered yet.',
    checks: isOpen ? wiringChecks(source) : [],
  };
}

const ended = ({ port }) => ({
  level: 'warn',
  title: 'Nothing in this recording',
  text: `${port ?? 'the port'} ended without a single call that could be read.`,
  checks: ['The connection (Shift+A) shows what was in it.', 'The dialect may be another one: miniprofd --dialect.'],
});

const noFunctions = ({ dialect }) => ({
  level: 'info',
  title: 'No functions in this dialect',
  text: `${dialect} reports checkpoints, and no functions.`,
  act: 'checkpoints',
});

const stopped = ({ listen_only: listensOnly }) =>
  listensOnly
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

function emptyWords(profile, answers, filtered) {
  const { source, target } = profile;
  if (profile.range !== null && !(filtered && profile.calls > 0)) return emptyRange(profile.range);
  if (filtered) return hidden;
  if (profile.idle > 0) return onlyIdle;
  if (!profile.loaded) return answers ? loading : reaching;
  if (source.state === 'lost') return lost(source);
  if (source.state === 'connecting' || source.state === undefined) return connecting(source);
  if (source.state === 'ended') return ended(source);
  if (!tellsFunctions(profile)) return noFunctions(source);
  return target.profiling === false ? stopped(source) : quiet;
}
