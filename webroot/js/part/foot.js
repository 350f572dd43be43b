// foot.js - the line below a table: the number of rows, why it is empty, and columns beyond the edge.

import { el, setText } from '../dom.js';
import { createBeyond } from './beyond.js';

/**
 * { nothing, root }: elements; `tell(parts, text)` joins the parts that are not empty, and says `text` where that is not ''. It follows
 * what `table` (part/table.js) shows now. `more` stands between.
 */
export function createFoot(table, ...more) {
  const nothing = el('p', { class: 'table-nothing', hidden: true });
  const status = el('p', { class: 'table-status' });
  const beyond = createBeyond(table);
  return {
    nothing,
    root: el('div', { class: 'table-foot' }, status, ...more, beyond.root),
    tell(parts, text) {
      setText(status, parts.filter(Boolean).join(' · '));
      nothing.hidden = text === '';
      if (text !== '') setText(nothing, text);
      beyond.show();
    },
  };
}

/** Why a list is empty: an error of the search expression, or `otherwise`; '' if it is not empty. */
export function whyEmpty(rows, match, otherwise) {
  if (rows.length > 0) return '';
  return match.error ? `Not a regular expression: ${match.error}` : otherwise;
}
