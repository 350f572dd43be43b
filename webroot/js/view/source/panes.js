// panes.js - the two tables of the Source view: lines and instructions.

import { el, setAttr, setText } from '../../dom.js';
import { percent } from '../../model/format.js';
import { sampleText } from '../../model/source.js';
import { createTable } from '../../part/table.js';
import { instructionColumn } from './instruction.js';

const rowPx = 20; // as in css/source.css

const samples = (listing) => ({
  id: 'samples',
  title: 'Samples',
  tip: 'How often the program counter was found here',
  text: (row) => sampleText(row.samples),
  of: (row) => listing().share(row),
  hint: (row) => (row.samples > 0 ? percent(listing().share(row)) : null),
  share: true,
  plain: true,
});

/** The line number column; other rows have a heading. */
const number = {
  id: 'line',
  title: 'Line',
  key: true,
  plain: true,
  text: () => '',
  cell() {
    const press = el('button', { type: 'button', class: 'mono' });
    const other = el('span', {});
    return {
      nodes: [press, other],
      set(row) {
        press.hidden = row.kind !== 'line';
        other.hidden = !press.hidden;
        setText(press, String(row.line ?? ''));
        setText(other, row.kind === 'line' ? '' : row.kind === 'file' ? 'from' : '⋯');
      },
    };
  },
};

const text = {
  id: 'text',
  title: 'Source',
  plain: true,
  text: () => '',
  cell() {
    const code = el('code');
    return {
      nodes: [code],
      set(row) {
        setText(code, row.kind === 'gap' ? '' : (row.text ?? '–'));
        setAttr(code, 'data-kind', row.kind);
      },
    };
  },
};

const address = {
  id: 'address',
  title: 'Address',
  key: true,
  plain: true,
  text: (row) => row.address.replace(/^0x0{0,7}/, ''),
  hint: (row) => row.address,
};

const bytes = {
  id: 'bytes',
  title: 'Bytes',
  plain: true,
  text: (row) => row.bytes,
  hint: (row) => row.bytes,
};

/**
 * Creates both panes. `on` has choose(pane, index), hover(pane, index or -1), scroll(), follow(target), jump(index),
 * addressOf(target) for links. `listing()` returns the listing to show.
 */
export function createPanes(listing, on) {
  const make = (pane, caption, rows) =>
    createTable(
      caption,
      `source-table source-${pane}`,
      {
        choose: (row) => on.choose(pane, rows().indexOf(row)),
        sort: () => {},
        scroll: on.scroll,
        hover: (row) => on.hover(pane, row === null ? -1 : rows().indexOf(row)),
      },
      { rowPx },
    );
  const tables = {
    source: make('source', 'Source lines', () => listing().lines),
    code: make('code', 'Instructions', () => listing().code),
  };
  const sampled = samples(listing);
  const coded = instructionColumn({ ...on, indexOf: (row) => listing().code.indexOf(row) });
  const columns = {
    source: (has) => [number, ...(has ? [sampled] : []), text],
    code: (has) => [address, ...(has ? [sampled] : []), bytes, coded],
  };

  return {
    tables,
    /** `marks(pane)` returns a function from an index to the attributes of that row. */
    show(marks) {
      const shown = listing();
      for (const pane of ['source', 'code']) {
        const rows = pane === 'code' ? shown.code : shown.lines;
        const markOf = marks(pane);
        const indexOf = new Map(rows.map((row, i) => [row, i]));
        tables[pane].show(rows, columns[pane](shown.hasSamples), {
          marks: (row) => ({ 'data-kind': row.kind, ...markOf(indexOf.get(row)) }),
        });
        const width = shown.longest(pane) + (pane === 'code' ? 34 : 10) + (shown.hasSamples ? 16 : 0);
        tables[pane].root.querySelector('table').style.minWidth = `${Math.min(width, 400)}ch`;
      }
    },
  };
}
