// health.js - the state of the connection as text.

import { plural } from './format.js';

const sum = (link, ...names) => names.reduce((total, name) => total + (link[name] ?? 0), 0);

const lineUseMost = 120;

/**
 * The line's use in percent; null if unknown: without a baud rate, or if more arrives than the baud rate can
 * carry. USB and pseudo terminals accept any rate and ignore it.
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

/** Which of the two forms the target's packets begin in, as text. */
export const headerWords = (link) => headers[link.header_order] ?? link.header_order ?? 'no packet yet';

/** Which start value makes the target's checksums right, as text. */
export const crcWords = (link) => starts[link.crc_init] ?? link.crc_init ?? 'no packet yet';

const lostRecords = (link) => link.records_lost ?? 0;

/**
 * The number of lost records, formatted by `number`. How many a buffer overflow dropped is unknown, so after an
 * overflow the text is never 0.
 */
export function lostText({ link }, number) {
  const n = lostRecords(link);
  if (!(link.losses_of_unknown_size > 0)) return number(n);
  return n > 0 ? `${number(n)}+` : '?';
}
export const damagedPackets = (link) => sum(link, 'crc_errors', 'framing_errors', 'malformed');

/**
 * The connection in brief: { level: 'ok'|'busy'|'warn'|'bad', title, detail }. `answers`: the daemon responds;
 * otherwise nothing else is known.
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

/** As connectionState(), for the header: where the connection is ok, what is wrong with what came by it. */
export function pillState(profile, answers) {
  const state = connectionState(profile, answers);
  if (state.title !== 'Connected' && state.title !== 'Listening' && state.title !== 'Recording complete') return state;
  if (profile.source.detail && profile.source.state === 'connected') return { ...state, level: 'warn', title: 'Check the device' };
  if (profile.incompleteBecause?.length > 0) return { ...state, level: 'warn', title: 'Data is missing' };
  return state;
}

export const passedOf = (n) => (n === 1 ? 'The only check passed.' : `All ${plural(n, 'check')} passed.`);

const worst = ['fail', 'warn'];

/**
 * One sentence on whether the profile is reliable: { level, text }. `findings` are those of the daemon's checks
 * requested so far.
 */
export function healthSentence(profile, answers, findings) {
  const state = pillState(profile, answers);
  if (!answers || ['lost', 'connecting'].includes(profile.source.state)) return { level: state.level, text: `${state.title}${state.detail ? `: ${state.detail}` : ''}.` };
  const missing = profile.incompleteBecause?.[0];
  if (missing) return { level: 'warn', text: missing };
  const wrong = worst.flatMap((verdict) => findings.filter((one) => one.verdict === verdict));
  if (wrong.length > 0) return { level: wrong[0].verdict === 'fail' ? 'bad' : 'warn', text: wrong[0].text };
  const passed = findings.length > 0 ? `${passedOf(findings.length)} ` : '';
  const records = profile.link.records > 0 ? ` in ${plural(profile.link.records, 'record')}` : '';
  return { level: state.level, text: `${passed}Nothing is known to be missing${records}.` };
}

/** True when the target reports functions at all. */
export const tellsFunctions = (profile) => ['tree', 'arcs', 'samples'].some((what) => profile.provides(what));
