// groups.js - every counter of the Link view, by group: [term, what it means, its words, whether more than 0 is a worry].

import { bytes, compact, count, hertz } from '../../model/format.js';
import { crcWords, headerWords, lineUse } from '../../model/health.js';

const yesNo = (value) => (value === true ? 'yes' : value === false ? 'no' : '–');

export const groups = [
  [
    'Arrived',
    [
      ['Bytes', 'Everything read from the port', ({ link }) => bytes(link.bytes)],
      ['Packets', 'Whole packets with a good checksum', ({ link }) => count(link.packets)],
      ['Records', 'Events and calls in them', ({ link }) => count(link.records)],
      ['Calls per second', 'Over the last moments', ({ link }) => compact(link.calls_per_second)],
      ['Bytes per second', 'Over the last moments', ({ link }) => bytes(link.bytes_per_second)],
      [
        'Line use',
        'Share of what the baud rate carries',
        ({ link }) => (lineUse(link) === null ? '–' : `${lineUse(link).toFixed(1)} %`),
      ],
    ],
  ],
  [
    'Damaged on the way',
    [
      ['CRC errors', 'Packets with a wrong checksum, dropped', ({ link }) => count(link.crc_errors), true],
      [
        'Framing errors',
        'Packets without their end mark, dropped',
        ({ link }) => count(link.framing_errors),
        true,
      ],
      ['Malformed', 'Checksum right, contents wrong, dropped', ({ link }) => count(link.malformed), true],
      [
        'Bytes skipped',
        'Passed over in search of the next packet',
        ({ link }) => count(link.bytes_skipped),
        true,
      ],
      [
        'Unknown version',
        'Packets of a later version, skipped',
        ({ link }) => count(link.unsupported_version),
        true,
      ],
      ['Unknown type', 'Packets of another kind, skipped', ({ link }) => count(link.unknown_types), true],
    ],
  ],
  [
    'Lost',
    [
      [
        'Records lost',
        'Known to have been captured and not to have arrived',
        ({ link }) => count(link.records_lost),
        true,
      ],
      [
        'Buffer overflows',
        'Times the buffer on the device was full',
        ({ target }) => count(target.buffer_overflows),
        true,
      ],
      ['Calls without a caller', 'Their caller was not seen', ({ link }) => count(link.unplaced_calls), true],
      ['Device restarts', 'Times the device began anew', ({ link }) => count(link.target_resets), true],
      [
        'Beyond the ceiling',
        'Times a row went to (other) instead',
        ({ link }) => count(link.over_limit),
        true,
      ],
      ['Reconnects', 'Times the port went away and came back', ({ link }) => count(link.reconnects), true],
    ],
  ],
  [
    'Device',
    [
      ['Firmware', 'As the device says', ({ target }) => target.fw_version || '–'],
      ['Clock', 'Of the processor', ({ target }) => hertz(target.mcu_clock_hz)],
      ['Tick rate', 'Of the time stamps', ({ target }) => hertz(target.ticks_per_second)],
      ['Profiling', 'Whether the device is sending', ({ target }) => yesNo(target.profiling)],
      ['Records captured', 'Counted by the device', ({ target }) => count(target.records_captured)],
      [
        'Buffer use',
        'On the device',
        ({ target }) =>
          target.buffer_usage_percent === null || target.buffer_usage_percent === undefined
            ? '–'
            : `${target.buffer_usage_percent} %`,
      ],
    ],
  ],
  [
    'Connection',
    [
      ['Port', 'Where the bytes come from', ({ source }) => source.port ?? '–'],
      ['Baud rate', 'As the driver says', ({ source }) => count(source.baud)],
      ['Dialect', 'What the bytes mean', ({ source }) => source.dialect ?? '–'],
      ['Form', 'Of its input, where it has several', ({ link }) => link.form ?? '–'],
      ['Packet header', 'Order of its two bytes, as found in the stream', ({ link }) => headerWords(link)],
      ['CRC start', 'Start value of the checksum, as found in the stream', ({ link }) => crcWords(link)],
      [
        'Commands',
        'Whether miniprofd may send any',
        ({ source }) => (source.listen_only ? 'listens only' : 'on'),
      ],
    ],
  ],
  [
    'Names',
    [
      ['ELF', 'File with the symbols', ({ source }) => source.elf?.path ?? 'none'],
      ['Functions in it', 'Symbols that can be named', ({ source }) => count(source.elf?.functions)],
      ['Build id', 'As the device says', ({ target }) => target.elf_build_id ?? '–'],
      ['ELF matches', 'Build id of file and device compared', ({ target }) => yesNo(target.elf_match)],
    ],
  ],
];
