// share.js - shares what the page shows: as a file, a link or a picture.

import { formatPlace } from '../model/place.js';
import { wholeTicks } from '../model/range.js';
import { fileName } from '../model/saved.js';
import { createOneFile } from './onefile.js';
import { pictureOf } from './picture.js';
import { saveBlob } from './save.js';

/**
 * The address of what is shown. Time counts there from the very moment that it counts from here. Of a paused view it is of that moment: it
 * has the visible times, and the number under which the daemon keeps them, if it does.
 */
function linkOf({ place, still, pause, time, host }) {
  const now = host().paused ? { ...still(), pause: pause.share() ?? '' } : place.get();
  const { first } = time.known;
  const zero = now.zero === '' && first !== null ? wholeTicks(first) : now.zero;
  return new URL(formatPlace({ ...now, zero }), location.href).href;
}

/** The people who can open the link, and for how long; empty where that is everybody and always. */
function linkLimits({ pause, host }) {
  const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
  return [
    isLoopback ? 'It opens on this computer only. Start miniprofd with --listen to reach it from others.' : '',
    !host().paused ? '' : pause.isKept ? 'It leads to this moment, which is kept for 30 minutes after its last use.' : 'miniprofd does not keep this moment: the link has its times only.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Copies a picture to the clipboard, or saves it if the browser cannot copy pictures. */
async function copyPicture({ toast, host }) {
  const view = document.querySelector('.view:not([hidden])');
  try {
    const picture = await pictureOf(view);
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
      toast('ok', 'Picture copied');
    } catch {
      saveBlob(`${fileName(host().whole, new Date())}.png`, picture);
      toast('ok', 'Picture saved', 'The browser lets this page put no picture on the clipboard.');
    }
  } catch (error) {
    toast('bad', 'Picture', `The browser cannot draw it: ${error.message}`);
  }
}

/** on: as for createOneFile(), and `pause` (frame/pause.js). Returns `items` for the Share menu, `actions` for keys. */
export function createShare(on) {
  const { save, learn } = createOneFile(on);
  const ways = [
    ['This page in a file (HTML)', 'Shift+H', save],
    ['Copy a link to this', 'Shift+Y', () => on.host().copy(linkOf(on), 'Link', linkLimits(on))],
    ['Copy a picture of this', 'Shift+P', () => copyPicture(on)],
  ];
  return {
    learn,
    items: ways.map(([label, key, run]) => ({ label, key, run })),
    actions: ways.map(([label, key, run]) => ({ keys: [key], label, group: 'Everywhere', run: () => void run() })),
  };
}
