// The position of a tip.

import assert from 'node:assert/strict';
import test from 'node:test';

import { pointerBox, tipSpot } from '../../../webroot/js/model/tipspot.js';

const apart = (tip, spot, box) =>
  spot.left >= box.right || spot.left + tip.width <= box.left || spot.top >= box.bottom || spot.top + tip.height <= box.top;

test('a tip is whole on the screen and not under the pointer, wherever that is', () => {
  for (const room of [{ width: 1440, height: 900 }, { width: 390, height: 844 }, { width: 390, height: 120 }]) {
    for (const tip of [{ width: 120, height: 40 }, { width: 374, height: 90 }].filter(({ height }) => height < room.height / 2)) {
      for (let x = 0; x <= room.width; x += 13) {
        for (let y = 0; y <= room.height; y += 11) {
          const spot = tipSpot(tip, pointerBox({ x, y }), room);
          const where = `${JSON.stringify(spot)} of ${x}, ${y} in ${room.width} x ${room.height}`;
          assert.ok(spot.left >= 0 && spot.top >= 0, where);
          assert.ok(spot.left + tip.width <= room.width && spot.top + tip.height <= room.height, where);
          assert.ok(spot.left > x || spot.left + tip.width < x || spot.top > y || spot.top + tip.height < y, where);
        }
      }
    }
  }
});

test('a tip is below a box, above it if there is no room, and beside it if neither has room', () => {
  const [tip, room] = [{ width: 100, height: 40 }, { width: 800, height: 300 }];
  const at = (box) => tipSpot(tip, box, room);
  assert.deepEqual(at({ left: 50, right: 60, top: 100, bottom: 120 }), { left: 50, top: 126 });
  assert.deepEqual(at({ left: 790, right: 800, top: 270, bottom: 290 }), { left: 692, top: 224 });
  for (const box of [{ left: 50, right: 60, top: 0, bottom: 300 }, { left: 700, right: 720, top: 10, bottom: 280 }])
    assert.ok(apart(tip, at(box), box), JSON.stringify(at(box)));
});
