// exports.js - the Share menu: the daemon's exports, of all time or of the range shown; without a daemon, those that
// the page can write itself.

import { savedFile } from '../model/saved.js';
import { openMenu } from './menu.js';
import { perfettoItem } from './perfetto.js';
import { saveText } from './save.js';

/** Formats that are available without the daemon. */
const ownItems = (profile, notes) =>
  ['json', 'collapsed'].map((format) => ({
    label: { json: 'Snapshot (JSON)', collapsed: 'Folded stacks' }[format],
    side: { json: '.json', collapsed: '.folded' }[format],
    run: () => saveText(savedFile(profile, format, new Date(), notes)),
  }));

/**
 * `range()` is the range shown, { from, to } or null; `part(range)` the same for requests to the daemon; answers(): the
 * daemon responds; isKept(): it keeps the state shown; shown(): the profile shown; notes(): the user's
 * (model/notes.js); `own`: items for exports of the page itself.
 */
export function createExports({ api, toast, range, part: partOf, answers, isKept, shown, notes, own = [] }) {
  let known = [];

  async function learn() {
    try {
      known = (await api.fetchStatus()).exports ?? [];
    } catch {
      // Asked again at the next hello.
    }
  }

  /** The daemon has no notes: a snapshot with some is written here. */
  function itemOf({ id, title, extension, available, reason }, part) {
    if (id === 'json' && notes().length > 0) return { ...ownItems(shown(), notes())[0], label: 'Snapshot with notes (JSON)' };
    return {
      label: title ?? id,
      side: available === false ? reason : `.${extension}`,
      disabled: available === false,
      href: available === false ? null : api.exportAddress(id, part),
    };
  }

  /** In three groups: to share, to open in another program, and files. */
  function grouped(part) {
    const opens = known.filter(({ id, available }) => id === 'perfetto' && available !== false);
    const title = () => `${shown().target.fw_version || 'firmware'} by miniprofd`;
    const perfetto = () => perfettoItem({ fetchTrace: () => api.fetchExport('perfetto', part), title, toast });
    return [
      { heading: 'Share' },
      ...own,
      ...(opens.length > 0 ? [{ heading: 'Open in' }, perfetto()] : []),
      { heading: 'Save as' },
      ...known.map((format) => itemOf(format, part)),
    ];
  }

  return {
    learn,
    async menu(anchor) {
      if (shown().loaded && !(answers() && isKept())) {
        const why = answers() ? 'miniprofd does not keep this moment' : 'miniprofd does not answer';
        openMenu(anchor, 'Save', [{ heading: 'Share' }, ...own, { heading: 'Save as' }, ...ownItems(shown(), notes())], `${why}: saved from this page`);
        return;
      }
      if (known.length === 0) await learn();
      if (known.length === 0) {
        toast('bad', 'Share', 'miniprofd does not say which formats it writes. Is it still running?');
        return;
      }
      const part = range();
      openMenu(
        anchor,
        part === null ? 'Share' : 'Share the range',
        grouped(partOf(part)),
        part === null ? '' : 'Of the selected range only',
      );
    },
  };
}
