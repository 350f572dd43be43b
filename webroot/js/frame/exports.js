// exports.js - the Export menu: what the daemon writes, of everything or of the range shown.

import { openMenu } from './menu.js';

/** `range()` is the range that the views show as { from, to }, or null; `part(range)` what that is to the daemon. */
export function createExports({ api, toast, range, part: partOf }) {
  let known = [];

  async function learn() {
    try {
      known = (await api.fetchStatus()).exports ?? [];
    } catch {
      // Asked again at the next hello.
    }
  }

  return {
    learn,
    async menu(anchor) {
      if (known.length === 0) await learn();
      if (known.length === 0) {
        toast('bad', 'Export', 'miniprofd does not say which formats it writes. Is it still running?');
        return;
      }
      const part = range();
      openMenu(
        anchor,
        part === null ? 'Export' : 'Export the range',
        known.map(({ id, title, extension, available, reason }) => ({
          label: title ?? id,
          side: available === false ? reason : `.${extension}`,
          disabled: available === false,
          href: available === false ? null : api.exportAddress(id, partOf(part)),
        })),
        part === null ? '' : 'Of the selected range only',
      );
    },
  };
}
