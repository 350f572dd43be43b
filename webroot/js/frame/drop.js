// drop.js - accepts a file dragged onto the page.

import { el } from '../dom.js';

const hasFiles = (event) => event.dataTransfer?.types.includes('Files');

/** Calls `take(file)` with a file that is dropped anywhere, and shows a hint while the file is dragged over the page. */
export function listenToDrop(take) {
  const sign = el(
    'div',
    { class: 'drop-sign', hidden: true },
    el('p', {}, 'Drop a snapshot (JSON) to compare with it'),
  );
  document.body.append(sign);
  let inside = 0; // elements entered and not yet left

  const over = (now) => {
    inside = now;
    sign.hidden = now <= 0;
  };
  addEventListener('dragenter', (event) => hasFiles(event) && over(inside + 1));
  addEventListener('dragleave', (event) => hasFiles(event) && over(inside - 1));
  addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(0);
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}
