// share.js - what is on the screen, for somebody else: a file, a link, a picture.

import { formatPlace } from '../model/place.js';
import { wholeTicks } from '../model/range.js';
import { fileName } from '../model/saved.js';
import { createOneFile } from './onefile.js';
import { pictureOf } from './picture.js';
import { saveBlob } from './save.js';

/** The address of what is shown. Time counts there from the very moment that it counts from here. */
function linkOf({ place, time }) {
  const now = place.get();
  const { first } = time.known;
  const zero = now.zero === '' && first !== null ? wholeTicks(first) : now.zero;
  return new URL(formatPlace({ ...now, zero }), location.href).href;
}

/** A picture onto the clipboard, or as a file where the browser has none for pictures. */
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

/** on: as createOneFile() takes it. `items` are for the menu Share, `actions` for the keys. */
export function createShare(on) {
  const { save, learn } = createOneFile(on);
  const ways = [
    ['This page in a file (HTML)', 'Shift+H', save],
    ['Copy a link to this', 'Shift+Y', () => on.host().copy(linkOf(on), 'Link')],
    ['Copy a picture of this', 'Shift+P', () => copyPicture(on)],
  ];
  return {
    learn,
    items: ways.map(([label, key, run]) => ({ label, key, run })),
    actions: ways.map(([label, key, run]) => ({ keys: [key], label, group: 'Everywhere', run: () => void run() })),
  };
}
