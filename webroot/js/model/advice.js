// advice.js - what the figures of the link mean, and what helps.

import { bytes, compact, count, plural } from './format.js';
import { lineUse } from './health.js';
import { settingsOf } from './setting.js';

const unreadable = (link) => (link.framing_errors ?? 0) + (link.malformed ?? 0);

/**
 * Each finding looks at { link, source, target } and answers { level, title, text }, or nothing when all is
 * well.
 */
const findings = [
  function gone({ source }) {
    if (source.state !== 'lost') return null;
    return {
      level: 'bad',
      title: 'The device is gone.',
      text: 'Check cable and power; what came before stays, and goes on when the port is back.',
    };
  },
  function lineFull({ link, source, target }) {
    const percent = lineUse(link);
    if (!(percent > 80)) return null;
    const now = source.baud ? ` (now ${count(source.baud)})` : '';
    const canRaise = settingsOf({ target }).some(({ name, most }) => name === 'baud' && most > source.baud);
    const where = canRaise ? ", with the device's setting “baud” below or miniprofd --baud-max," : ' on both sides,';
    return {
      level: percent > 95 ? 'bad' : 'warn',
      title: `The line is ${Math.round(percent)} % full.`,
      text:
        `Raise the baud rate${now}${where} or send less: exclude small, often-called functions or ` +
        'limit the depth.',
    };
  },
  function nothingReadable({ link }) {
    if (!(link.bytes > 1000) || link.packets > 0) return null;
    return {
      level: 'bad',
      title: `${bytes(link.bytes)} came in, but not one packet.`,
      text:
        'Most often the baud rate differs between the two ends; else the firmware speaks another dialect ' +
        '(--dialect).',
    };
  },
  function wrongElf({ target }) {
    if (target.elf_match !== false) return null;
    return {
      level: 'bad',
      title: 'The ELF is not the one the device runs.',
      text: 'Names may be wrong. Flash this build, or give miniprofd the ELF that was flashed.',
    };
  },
  function overflows({ target }) {
    if (!(target.buffer_overflows > 0)) return null;
    return {
      level: 'warn',
      title: `The device's buffer overflowed ${plural(target.buffer_overflows, 'time')}.`,
      text:
        'Calls come faster than the line carries them; totals are too low. A higher baud rate, an exclude ' +
        'list (-finstrument-functions-exclude-function-list), a depth limit or a larger buffer helps.',
    };
  },
  function damaged({ link }) {
    if (!(link.crc_errors > 0)) return null;
    return {
      level: 'warn',
      title: `${plural(link.crc_errors, 'packet')} arrived damaged.`,
      text:
        'Damaged packets are dropped, never guessed. Look at ground and wiring, cable length, and whether ' +
        'both ends have the same baud rate within 2 %.',
    };
  },
  function strangeForm({ link }) {
    if (unreadable(link) === 0 || link.crc_errors > 0) return null;
    return {
      level: 'warn',
      title: `${plural(unreadable(link), 'packet')} could not be read.`,
      text:
        'Their form is wrong though the bytes arrived: another program may write to the same UART, or the ' +
        'firmware speaks another dialect.',
    };
  },
  function lost({ link }) {
    if (!(link.records_lost > 0)) return null;
    return {
      level: 'warn',
      title: `${plural(link.records_lost, 'record')} lost on the way.`,
      text: 'The tree is incomplete but not wrong: no call is shown below a caller that did not make it.',
    };
  },
  function swappedCrc({ link }) {
    if (!(link.big_endian_crc_hints > 0)) return null;
    return {
      level: 'bad',
      title: 'The firmware sends the checksum high byte first.',
      text:
        `${plural(link.big_endian_crc_hints, 'packet')} would be right with the two bytes swapped; ` +
        'the low byte belongs first.',
    };
  },
  function headerlessCrc({ link }) {
    if (!(link.headerless_crc_hints > 0)) return null;
    return {
      level: 'bad',
      title: 'The firmware leaves the header out of the checksum.',
      text:
        `${plural(link.headerless_crc_hints, 'packet')} would be right without it; the checksum covers ` +
        'header, type, length and payload.',
    };
  },
  function ceiling({ link }) {
    if (!(link.over_limit > 0)) return null;
    return {
      level: 'info',
      title: `The daemon's ceiling of rows was met ${plural(link.over_limit, 'time')}.`,
      text: 'There are more functions or stacks than its ceiling; what is beyond is summed up under "(other)".',
    };
  },
  function newerVersion({ link }) {
    if (!(link.unsupported_version > 0)) return null;
    return {
      level: 'warn',
      title: `${plural(link.unsupported_version, 'packet')} of a version this miniprofd does not know.`,
      text: 'The firmware is newer than the daemon: update miniprofd.',
    };
  },
  function unplaced({ link }) {
    if (!(link.unplaced_calls > 0)) return null;
    return {
      level: 'info',
      title: `${plural(link.unplaced_calls, 'call')} without a caller.`,
      text:
        'Their caller was lost, has not returned yet, or was entered before profiling began; they stand ' +
        'below "[depth … not seen]".',
    };
  },
  function rateWithoutMeaning({ link, source }) {
    if (!(link.line_use_percent > 0) || lineUse(link) !== null) return null;
    return {
      level: 'info',
      title: `More comes in than ${count(source.baud)} baud can carry.`,
      text:
        'USB and pseudo terminals do not hold to a baud rate, so there is no telling how full this line is. ' +
        'Buffer overflows show when it is too slow.',
    };
  },
  function unknownTypes({ link }) {
    if (!(link.unknown_types > 0)) return null;
    return {
      level: 'info',
      title: `${plural(link.unknown_types, 'packet')} of an unknown type.`,
      text: 'They were skipped; everything else is read as usual.',
    };
  },
];

const gravity = { bad: 0, warn: 1, info: 2 };

/** [{ level: 'ok'|'info'|'warn'|'bad', title, text }], worst first; never empty. */
export function advice(profile) {
  const list = findings.map((finding) => finding(profile)).filter((found) => found !== null);
  if (list.length > 0) return list.sort((a, b) => gravity[a.level] - gravity[b.level]);
  const { link } = profile;
  return link.packets > 0
    ? [
        {
          level: 'ok',
          title: 'The link is healthy.',
          text: `${compact(link.packets)} packets, none damaged, nothing lost.`,
        },
      ]
    : [{ level: 'info', title: 'Nothing has come in yet.', text: 'Figures appear with the first packet.' }];
}
