// link.js - the cards of the panel of the connection: what is known about link, device, connection and names.
//
// Figures of the link come from the daemon's table (figures.js). This file adds other rows, and texts for some figures.

import { balanceText } from './balance.js';
import { hookShare, hookWords, slowdownText } from './cost.js';
import { count, dash, hertz, percent, plural } from './format.js';
import { figureText } from './figures.js';
import { modeText } from './setting.js';
import { crcWords, headerWords, lineUse, lostText } from './health.js';

const calls = (n) => (n === null || n === undefined ? dash : plural(n, 'call'));
const yesNo = (value) => (value === true ? 'yes' : value === false ? 'no' : dash);

const row = (term, tip, of, worry = false, key = '') => ({ term, tip, of, worry, key });

/** Figures whose text is not made from their unit. */
const inWords = {
  line_use_percent: (figure, link) => figureText(figure, lineUse(link)),
  header_order: (figure, link) => headerWords(link),
  crc_init: (figure, link) => crcWords(link),
  records_lost: (figure, link, profile) => lostText(profile, count),
};

/** Cards in order; `worry`: figures above 0 are a problem; `rows`: rows above those of the table. */
const cards = [
  { id: 'arrived', title: 'Arrived', rows: [] },
  { id: 'damaged', title: 'Damaged on the way', worry: true, rows: [] },
  {
    id: 'lost',
    title: 'Lost',
    worry: true,
    rows: [
      row(
        'Buffer overflows',
        'Times the buffer on the device was full',
        ({ target }) => count(target.buffer_overflows),
        true,
      ),
    ],
  },
  {
    id: 'balance',
    title: 'Where it went',
    rows: [
      row('Calls reported', 'Calls that the target reported, and where all of them went', (profile) => balanceText('calls', profile)),
      row('Time reported', 'Run time of all contexts, where that is known, and in what', (profile) => balanceText('ticks', profile)),
      row('Bytes read', 'Bytes that came in packets, or in none', (profile) => balanceText('bytes', profile)),
    ],
  },
  {
    id: 'device',
    title: 'Device',
    rows: [
      row('Firmware', 'As the device says', ({ target }) => target.fw_version || dash),
      row('Clock', 'Of the processor', ({ target }) => hertz(target.mcu_clock_hz)),
      row('Tick rate', 'Of the time stamps', ({ target }) => hertz(target.ticks_per_second)),
      row('Profiling', 'Yes while the device is sending', ({ target }) => yesNo(target.profiling)),
      row('Mode', 'How it reports its calls', (profile) => modeText(profile) ?? dash),
      row('Ring', 'Calls that its buffer holds', ({ target }) => calls(target.description?.ring_calls)),
      row('Stack', 'Calls on a stack that are measured', ({ target }) => calls(target.description?.stack_depth)),
      row('Cost of a call', 'What the hooks add to a call; in mode tree at least', hookWords),
      row('Cost in all', 'Share of the time that the hooks took', (profile) =>
        percent(hookShare(profile)),
      ),
      row('Slowdown', 'How many times longer the measured calls take with their hooks; idle time left out', slowdownText),
      row('Tasks', 'That are told apart', ({ target }) => count(target.description?.tasks)),
      row('Records captured', 'Counted by the device', ({ target }) => count(target.records_captured)),
      row('Buffer use', 'On the device', ({ target: { buffer_usage_percent: use } }) =>
        use === null || use === undefined ? dash : `${use} %`,
      ),
    ],
  },
  {
    id: 'connection',
    title: 'Connection',
    rows: [
      row('Port', 'Where the bytes come from', ({ source }) => source.port ?? dash),
      row('Baud rate', 'As the driver says', ({ source }) => count(source.baud)),
      row('Dialect', 'What the bytes mean', ({ source }) => source.dialect ?? dash),
      row('Commands', 'Shows if miniprofd may send any', ({ source }) => (source.listen_only ? 'listens only' : 'on')),
    ],
  },
  {
    id: 'names',
    title: 'Names',
    rows: [
      row('ELF', 'Files with the symbols', ({ source }) => source.elf?.name ?? source.elf?.path ?? 'none'),
      row('Functions in it', 'Symbols that can be named', ({ source }) => count(source.elf?.functions)),
      row('Build id', 'As the device says', ({ target }) => target.elf_build_id ?? dash),
      row('ELF matches', 'Build id of file and device compared', ({ target }) => yesNo(target.elf_match)),
    ],
  },
];

function figureRow(figure, worry) {
  const words = inWords[figure.key];
  return row(
    figure.title,
    figure.help,
    (profile) =>
      words ? words(figure, profile.link, profile) : figureText(figure, profile.link[figure.key]),
    worry,
    figure.key,
  );
}

/**
 * The cards for the daemon's table: [{ title, rows: [{ term, tip, of(profile), worry, key }] }]. `of` returns text;
 * `worry`: a value above 0 is a problem; `key` is that of the figure, or ''.
 */
export function linkCards({ link }) {
  return cards.map(({ id, title, worry = false, rows }) => ({
    title,
    rows: [...rows, ...link.filter(({ group }) => group === id).map((figure) => figureRow(figure, worry))],
  }));
}
