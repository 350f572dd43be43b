// reader.mjs - what a reader does with the page, counted.

import assert from 'node:assert/strict';

/** An action is a press of the mouse, a key, a text typed with Enter behind it, or a file given to the dialog that asks for one. One more than `most` fails. */
export function reader(page, most) {
  const done = [];
  const act = (what, run) => {
    done.push(what);
    assert.ok(done.length <= most, `more than ${most} actions: ${done.join(', ')}`);
    return run();
  };
  return {
    key: (key) => act(key, () => page.keyboard.press(key)),
    click: (place) => act(`click ${place}`, () => place.click()),
    say: (words) => act(words, () => page.keyboard.type(words).then(() => page.keyboard.press('Enter'))),
    choose: (asked, file) => act(file.name, async () => (await asked).setFiles(file)),
  };
}
