// graphlayout.js - places the boxes of a call graph, its arrows and their labels.
//
// Columns are, from left to right, callers, the function, callees. Boxes of a column are ordered for the fewest arrow
// crossings: each box is repeatedly put at the mean position of its neighbours (barycentre), in alternating directions.
// Boxes keep their positions while their set stays the same.
//
// In a narrow window the graph runs from top to bottom, in rows of two. Positions are computed on a grid whose x runs
// from callers to callees and whose y runs along a column; a narrow graph is transposed at the end.

export const sizes = { loop: 24, labelHeight: 15, letter: 6.2 };

/** The size of boxes as drawn, and of the grid: the length of a box along x and y, and the gaps. */
const wideGrid = { box: { width: 208, height: 54 }, boxX: 208, boxY: 54, gapX: 164, gapY: 22, margin: 16 };
const narrowGrid = { box: { width: 168, height: 54 }, boxX: 54, boxY: 168, gapX: 48, gapY: 22, margin: 11 };
const inRow = 2;

const sweeps = 8;

/** The key of an arrangement: the boxes and their columns. */
const shapeOf = ({ centre, columns }) =>
  `${centre}:${columns.map(({ level, boxes }) => `${level}=${boxes.map((box) => box.id).sort().join(',')}`).join(';')}`;

/** The number of crossings between neighbouring columns; `pairs` has the positions of each arrow's ends. */
export function crossings(pairs) {
  let n = 0;
  for (let i = 0; i < pairs.length; i++)
    for (let k = 0; k < i; k++)
      if ((pairs[i][0] - pairs[k][0]) * (pairs[i][1] - pairs[k][1]) < 0) n++;
  return n;
}

function allCrossings(columns, arrows) {
  const at = new Map();
  columns.forEach((boxes, c) => boxes.forEach((box, i) => at.set(box.id, [c, i])));
  const between = new Map();
  for (const { from, to } of arrows) {
    const [a, b] = [at.get(from), at.get(to)];
    if (Math.abs(a[0] - b[0]) !== 1) continue;
    const [left, right] = a[0] < b[0] ? [a, b] : [b, a];
    if (!between.has(left[0])) between.set(left[0], []);
    between.get(left[0]).push([left[1], right[1]]);
  }
  let n = 0;
  for (const pairs of between.values()) n += crossings(pairs);
  return n;
}

/** The boxes of each column, in the order with the fewest crossings found. */
function ordered(columns, arrows) {
  let now = columns.map(({ boxes }) => [...boxes]);
  let best = now.map((boxes) => [...boxes]);
  let fewest = allCrossings(best, arrows);
  const beside = new Map();
  for (const { from, to } of arrows) {
    if (from === to) continue;
    for (const [a, b] of [
      [from, to],
      [to, from],
    ]) {
      if (!beside.has(a)) beside.set(a, []);
      beside.get(a).push(b);
    }
  }
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const turn = sweep % 2 === 0 ? now.map((_, c) => c) : now.map((_, c) => now.length - 1 - c);
    for (const c of turn) {
      const place = new Map();
      now.forEach((boxes, column) =>
        boxes.forEach((box, i) => column !== c && place.set(box.id, i - (boxes.length - 1) / 2)),
      );
      const wish = new Map(
        now[c].map((box, i) => {
          const near = (beside.get(box.id) ?? []).filter((id) => place.has(id));
          const own = i - (now[c].length - 1) / 2;
          return [box, near.length > 0 ? near.reduce((sum, id) => sum + place.get(id), 0) / near.length : own];
        }),
      );
      now[c] = [...now[c]].sort((a, b) => Boolean(a.more) - Boolean(b.more) || wish.get(a) - wish.get(b));
    }
    const n = allCrossings(now, arrows);
    if (n < fewest) {
      fewest = n;
      best = now.map((boxes) => [...boxes]);
    }
  }
  return best;
}

/** Splits columns into rows of two boxes, the heaviest nearest to the centre. */
function rowsOfTwo(columns) {
  return columns.flatMap(({ level, boxes }) => {
    const rows = [];
    for (let i = 0; i < boxes.length; i += inRow) rows.push({ level, boxes: boxes.slice(i, i + inRow) });
    return level < 0 ? rows.reverse() : rows;
  });
}

/**
 * Positions of a neighbourhood's boxes: { shape, narrow, box (its width and height), at: Map of id to { x, y, level }
 * as drawn, grid: the same on the grid, width, height }. `before` is the previous answer, which is returned if the
 * boxes are the same.
 */
export function arrange(part, before = null, narrow = false) {
  const shape = `${narrow ? 'narrow ' : ''}${shapeOf(part)}`;
  if (before !== null && before.shape === shape) return before;
  const size = narrow ? narrowGrid : wideGrid;
  const columns = ordered(narrow ? rowsOfTwo(part.columns) : part.columns, part.arrows);
  const tallest = Math.max(...columns.map((boxes) => boxes.length));
  const long = columns.length * (size.boxX + size.gapX) - size.gapX;
  const high = tallest * (size.boxY + size.gapY) - size.gapY + (narrow ? 0 : 2 * sizes.loop);
  const grid = new Map();
  columns.forEach((boxes, c) => {
    const own = boxes.length * (size.boxY + size.gapY) - size.gapY;
    boxes.forEach((box, i) =>
      grid.set(box.id, {
        x: c * (size.boxX + size.gapX),
        y: (high - own) / 2 + i * (size.boxY + size.gapY),
        level: box.level,
      }),
    );
  });
  const turned = ([id, { x, y, level }]) => [id, { x: y, y: x, level }];
  return {
    shape,
    narrow,
    size,
    box: size.box,
    grid,
    at: narrow ? new Map([...grid].map(turned)) : grid,
    width: narrow ? high : long,
    height: narrow ? long : high,
  };
}

/** The direction of an arrow: 'ahead' to a later level, 'back' to an earlier one, 'beside' in its own, 'self'. */
function kindOf(arrow, layout) {
  if (arrow.from === arrow.to) return 'self';
  const [a, b] = [layout.grid.get(arrow.from), layout.grid.get(arrow.to)];
  return b.level > a.level ? 'ahead' : b.level < a.level ? 'back' : 'beside';
}

/** The sides where an arrow leaves and enters; within a column the outer side, which is emptier. */
function sidesOf(arrow, layout) {
  const outer = layout.grid.get(arrow.from).level < 0 ? 'left' : 'right';
  return { ahead: ['right', 'left'], back: ['left', 'right'], beside: [outer, outer] }[kindOf(arrow, layout)];
}

/** The height at which each arrow leaves and enters, spread along the sides in the order of their other ends. */
function ports(arrows, layout) {
  const sides = new Map(); // "id side" -> ends
  const { boxY } = layout.size;
  const heights = arrows.map(() => [0, 0]);
  arrows.forEach((arrow, i) => {
    if (arrow.from === arrow.to) return;
    const [leaves, enters] = sidesOf(arrow, layout);
    for (const [end, key, other] of [
      [0, `${arrow.from} ${leaves}`, layout.grid.get(arrow.to)],
      [1, `${arrow.to} ${enters}`, layout.grid.get(arrow.from)],
    ]) {
      if (!sides.has(key)) sides.set(key, []);
      sides.get(key).push({ i, end, other });
    }
  });
  const room = boxY - 16;
  for (const ends of sides.values()) {
    ends.sort((p, q) => p.other.y - q.other.y || p.other.x - q.other.x || p.i - q.i);
    ends.forEach(({ i, end }, k) => {
      heights[i][end] = boxY / 2 + ((k + 1) / (ends.length + 1) - 0.5) * room;
    });
  }
  return heights;
}

const curve = ([x1, y1], [c1, d1], [c2, d2], [x2, y2], t) => {
  const u = 1 - t;
  return [
    u ** 3 * x1 + 3 * u * u * t * c1 + 3 * u * t * t * c2 + t ** 3 * x2,
    u ** 3 * y1 + 3 * u * u * t * d1 + 3 * u * t * t * d2 + t ** 3 * y2,
  ];
};

/** The height at which an arrow over several columns passes between boxes, or null if nothing is in its way. */
function pass(layout, [x1, y1], [x2, y2]) {
  const { boxX, boxY, margin } = layout.size;
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const inside = [...layout.grid.values()].filter(({ x }) => x > left && x + boxX < right);
  const free = (y) => inside.every((box) => y < box.y - margin / 2 || y > box.y + boxY + margin / 2);
  const middle = (y1 + y2) / 2;
  if (free(middle)) return null;
  const ways = inside.flatMap((box) => [box.y - margin, box.y + boxY + margin]).filter(free);
  return ways.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? null;
}

/** The four points of the curve of an arrow from a box to itself, over its upper edge. */
function loopOf({ from }, { at, box }) {
  const { x, y } = at.get(from);
  const [left, right, top] = [x + box.width - 58, x + box.width - 22, y - sizes.loop];
  return [[left, y], [left, top], [right, top], [right, y - 2]];
}

/** The four points of the arrow's curve on the grid; `leaves` and `enters` are heights within its boxes. */
function route(arrow, layout, [leaves, enters]) {
  const { boxX } = layout.size;
  const [a, b] = [layout.grid.get(arrow.from), layout.grid.get(arrow.to)];
  const kind = kindOf(arrow, layout);
  const [from, to] = sidesOf(arrow, layout);
  const edge = (box, side, gap) => box.x + (side === 'right' ? boxX + gap : -gap);
  const start = [edge(a, from, 0), a.y + leaves];
  const end = [edge(b, to, 2), b.y + enters];
  const [out, back] = [from === 'right' ? 1 : -1, to === 'right' ? 1 : -1];
  if (kind === 'beside') {
    const far = 34 + Math.abs(a.y - b.y) / 10;
    return [start, [start[0] + far * out, start[1]], [end[0] + far * back, end[1]], end];
  }
  const bend = Math.max(Math.abs(end[0] - start[0]) / 2, layout.narrow ? 26 : 40);
  const through = pass(layout, start, end);
  // The midpoint of a curve is 3/4 of its two handles and 1/4 of its ends.
  const handle = through === null ? null : (through - (start[1] + end[1]) / 8) / 0.75;
  return [start, [start[0] + bend * out, handle ?? start[1]], [end[0] + bend * back, handle ?? end[1]], end];
}

const tries = [0.72, 0.6, 0.82, 0.5, 0.4, 0.3, 0.2];
const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

/** Keeps a label beside the box that the arrow leaves and clear of the arrowhead. */
const between = (x, [start, , , end], width) =>
  Math.max(Math.min(x, end[0] - 14 - width / 2), start[0] + 4 + width / 2);

/** The direction of the arrowhead: [1, 0] is to the right. */
function headingOf(kind, [, , turn, end], narrow) {
  if (kind === 'self') return [0, 1];
  return narrow ? [0, Math.sign(end[1] - turn[1]) || 1] : [Math.sign(end[0] - turn[0]) || 1, 0];
}

function wayOf(arrow, layout, heights) {
  const kind = kindOf(arrow, layout);
  let points = kind === 'self' ? loopOf(arrow, layout) : route(arrow, layout, heights);
  if (layout.narrow && kind !== 'self') points = points.map(([x, y]) => [y, x]);
  return { arrow, kind, points, heading: headingOf(kind, points, layout.narrow), label: null };
}

/** A label as long as half of a straight arrow is in its middle, so that the arrow is seen on both sides. */
function triesFor({ kind, points: [start, , , end] }, width, { narrow }) {
  if (kind === 'self') return [0.5];
  const isStraight = !narrow && Math.abs(end[1] - start[1]) < 1;
  return isStraight && 2 * width > Math.abs(end[0] - start[0]) ? [0.5, ...tries] : tries;
}

/**
 * The arrows with their curves: [{ arrow, kind, points, heading, label: { x, y, width } or null }]: points of one cubic
 * curve, and the direction at its end. `textOf(arrow)` is the label. Labels are on the line, nearer to the outer end,
 * where arrows are apart. They are placed heaviest first; a label that would cover a box or another label is left out.
 */
export function routes(arrows, layout, textOf) {
  const heights = ports(arrows, layout);
  const taken = [...layout.at.values()].map(({ x, y }) => ({ x, y, ...layout.box }));
  const ways = arrows.map((arrow, i) => wayOf(arrow, layout, heights[i]));
  const heaviest = [...ways].sort(
    (a, b) => (b.arrow.ticks ?? 0) - (a.arrow.ticks ?? 0) || b.arrow.calls - a.arrow.calls,
  );
  for (const way of heaviest) {
    const width = textOf(way.arrow).length * sizes.letter + 6;
    const outward = Math.abs(layout.at.get(way.arrow.to).level) >= Math.abs(layout.at.get(way.arrow.from).level);
    for (const t of triesFor(way, width, layout)) {
      const [onX, onY] = curve(...way.points, outward ? t : 1 - t);
      const isLoop = way.kind === 'self';
      const x = isLoop ? way.points[0][0] - 6 - width / 2 : way.kind === 'ahead' && !layout.narrow ? between(onX, way.points, width) : onX;
      const y = isLoop ? way.points[0][1] - sizes.labelHeight / 2 - 2 : onY;
      const box = { x: x - width / 2, y: y - sizes.labelHeight / 2, width, height: sizes.labelHeight };
      if (!taken.every((other) => apart(box, other))) continue;
      taken.push(box);
      way.label = { x, y, width };
      break;
    }
  }
  return ways;
}

/** The bounding box of boxes, arrows and labels: { x, y, width, height }. */
export function extent(ways, layout) {
  const half = sizes.labelHeight / 2;
  const xs = [0, layout.width];
  const ys = [0, layout.height];
  for (const { points, label } of ways) {
    for (const t of [0.25, 0.5, 0.75]) {
      const [x, y] = curve(...points, t);
      xs.push(x);
      ys.push(y);
    }
    if (label === null) continue;
    xs.push(label.x - label.width / 2, label.x + label.width / 2);
    ys.push(label.y - half, label.y + half);
  }
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
