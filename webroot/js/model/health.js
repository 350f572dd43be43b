// health.js - how the connection is, in words.

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

/**
 * How many records are lost, as text of `number`: what an overflow of the target's buffer dropped nobody has counted, so
 * it is never 0 after one.
 */
export function lostText({ link }, number) {
  const n = lostRecords(link);
  if (!(link.losses_of_unknown_size > 0)) return number(n);
  return n > 0 ? `${number(n)}+` : '?';
}
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

/** Whether the target tells of functions at all. */
export const tellsFunctions = (profile) => ['tree', 'arcs', 'samples'].some((what) => profile.provides(what));
