// status.js - what stands below a list: how many rows there are, and why there are none.

import { el, setText } from '../dom.js';

/** { nothing, status }: elements; tell(parts, text) joins the parts that are not empty, and says `text` where that is not ''. */
export function createStatus() {
  const nothing = el('p', { class: 'table-nothing', hidden: true });
  const status = el('p', { class: 'table-status' });
  return {
    nothing,
    status,
    tell(parts, text) {
      setText(status, parts.filter(Boolean).join(' · '));
      nothing.hidden = text === '';
      if (text !== '') setText(nothing, text);
    },
  };
}

/** Why a list is empty: `otherwise`, or what is wrong with the expression searched for; '' when it is not. */
export function whyEmpty(rows, match, otherwise) {
  if (rows.length > 0) return '';
  return match.error ? `Not a regular expression: ${match.error}` : otherwise;
}
