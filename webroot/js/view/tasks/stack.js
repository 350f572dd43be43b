// stack.js - the observed stack use of a task, and a field for its stack size.

import { el, setAttr, setText } from '../../dom.js';
import { bytes, percent } from '../../model/format.js';

const hint = 'Its size in bytes, such as 1024 or 2 k: the free rest is shown then';
const tight = 0.9; // share of the size: more is a warning

/** The cell of a row; `column` is that of model/tasks.js, `sizes` a StackSizes. */
export function stackCell(column, sizes, changed) {
  const used = el('span');
  const size = el('input', { class: 'stack-size', placeholder: 'size', autocomplete: 'off', spellcheck: false, title: hint });
  const note = el('span', { class: 'task-why' });
  let row = null;
  size.addEventListener('change', () => {
    const isSize = sizes.set(row.name, size.value);
    setAttr(size, 'aria-invalid', isSize ? null : 'true');
    setAttr(size, 'title', isSize ? hint : 'This is no size. Enter bytes, such as 1024 or 2 k.');
    if (isSize) changed();
  });
  size.addEventListener('blur', changed); // columns may have waited for it
  const of = el('label', { class: 'stack-of' }, ' of ', size);
  return {
    nodes: [used, of, note],
    set(next, scale) {
      row = next;
      const all = sizes.of(row.name);
      const isKnown = row.stack !== null && all !== null;
      setText(used, column.text(row, scale));
      of.hidden = row.stack === null;
      setAttr(size, 'aria-label', `Size of the stack of ${row.name} in bytes`);
      if (document.activeElement !== size && size.getAttribute('aria-invalid') === null) size.value = all === null ? '' : String(all);
      const left = all - row.stack;
      setText(note, !isKnown ? '' : left < 0 ? `${bytes(-left)} too deep` : `${row.isLeast ? '≤ ' : ''}${bytes(left)} left, ${percent(row.stack / all)} used`);
      setAttr(note, 'data-level', isKnown && row.stack > tight * all ? 'bad' : null);
    },
  };
}
