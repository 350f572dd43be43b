// graphlayout.js - where the boxes of a call graph stand, how its arrows run, and where their labels fit.
//
// Columns from left to right: callers, the function, callees. Within a column the order is that which makes arrows
// cross least, found by going to and fro and putting each box at the mean place of its neighbours (barycentre).
// While the set of boxes stays the same they keep their places, whatever the figures do.

export const sizes = { boxWidth: 208, boxHeight: 54, gapX: 164, gapY: 22, loop: 24, labelHeight: 15, letter: 6.2 };

const sweeps = 8;

/** What an arrangement depends on: the boxes and their columns. */
export const shapeOf = ({ centre, columns }) =>
  `${centre}:${columns.map(({ level, boxes }) => `${level}=${boxes.map((box) => box.id).sort().join(',')}`).join(';')}`;

/** Crossings between neighbouring columns, of arrows given as pairs of places. */
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

/** The boxes of each column in the order with fewest crossings that was met. */
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

/**
 * Places for the boxes of a neighbourhood: { shape, at: Map of id to { x, y, level }, width, height }. `before` is
 * the answer of the last time and comes back as it is while the boxes are the same.
 */
export function arrange(part, before = null) {
  const shape = shapeOf(part);
  if (before !== null && before.shape === shape) return before;
  const { boxWidth, boxHeight, gapX, gapY, loop } = sizes;
  const columns = ordered(part.columns, part.arrows);
  const tallest = Math.max(...columns.map((boxes) => boxes.length));
  const height = tallest * (boxHeight + gapY) - gapY + 2 * loop;
  const at = new Map();
  columns.forEach((boxes, c) => {
    const own = boxes.length * (boxHeight + gapY) - gapY;
    boxes.forEach((box, i) =>
      at.set(box.id, {
        x: c * (boxWidth + gapX),
        y: (height - own) / 2 + i * (boxHeight + gapY),
        level: box.level,
      }),
    );
  });
  return { shape, at, width: columns.length * (boxWidth + gapX) - gapX, height };
}

/** How an arrow runs: 'ahead' to a later column, 'back' to an earlier one, 'beside' in its own, 'self'. */
function kindOf(arrow, layout) {
  if (arrow.from === arrow.to) return 'self';
  const [a, b] = [layout.at.get(arrow.from), layout.at.get(arrow.to)];
  return b.x > a.x ? 'ahead' : b.x < a.x ? 'back' : 'beside';
}

/** The sides that it leaves and enters by: within a column by the outer one, which is the emptier. */
function sidesOf(arrow, layout) {
  const outer = layout.at.get(arrow.from).level < 0 ? 'left' : 'right';
  return { ahead: ['right', 'left'], back: ['left', 'right'], beside: [outer, outer] }[kindOf(arrow, layout)];
}

/** The height at which each arrow leaves and enters, spread along the sides in the order of where they go. */
function ports(arrows, layout) {
  const sides = new Map(); // "id side" -> ends
  const { boxHeight } = sizes;
  const heights = arrows.map(() => [0, 0]);
  arrows.forEach((arrow, i) => {
    if (arrow.from === arrow.to) return;
    const [leaves, enters] = sidesOf(arrow, layout);
    for (const [end, key, other] of [
      [0, `${arrow.from} ${leaves}`, layout.at.get(arrow.to)],
      [1, `${arrow.to} ${enters}`, layout.at.get(arrow.from)],
    ]) {
      if (!sides.has(key)) sides.set(key, []);
      sides.get(key).push({ i, end, other });
    }
  });
  const room = boxHeight - 16;
  for (const ends of sides.values()) {
    ends.sort((p, q) => p.other.y - q.other.y || p.other.x - q.other.x || p.i - q.i);
    ends.forEach(({ i, end }, k) => {
      heights[i][end] = boxHeight / 2 + ((k + 1) / (ends.length + 1) - 0.5) * room;
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

/** Where an arrow over several columns has to pass so as not to run behind a box, or null when it is free. */
function pass(layout, [x1, y1], [x2, y2]) {
  const { boxWidth, boxHeight } = sizes;
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const inside = [...layout.at.values()].filter(({ x }) => x > left && x + boxWidth < right);
  const margin = 16;
  const free = (y) => inside.every((box) => y < box.y - margin / 2 || y > box.y + boxHeight + margin / 2);
  const middle = (y1 + y2) / 2;
  if (free(middle)) return null;
  const ways = inside.flatMap((box) => [box.y - margin, box.y + boxHeight + margin]).filter(free);
  return ways.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? null;
}

/** The four points of its curve; `leaves` and `enters` are heights within its boxes. */
function route(arrow, layout, [leaves, enters]) {
  const { boxWidth, loop } = sizes;
  const [a, b] = [layout.at.get(arrow.from), layout.at.get(arrow.to)];
  const kind = kindOf(arrow, layout);
  if (kind === 'self') {
    const [left, right, top] = [a.x + boxWidth - 58, a.x + boxWidth - 22, a.y];
    return [[left, top], [left, top - loop], [right, top - loop], [right, top - 2]];
  }
  const [from, to] = sidesOf(arrow, layout);
  const edge = (box, side, gap) => box.x + (side === 'right' ? boxWidth + gap : -gap);
  const start = [edge(a, from, 0), a.y + leaves];
  const end = [edge(b, to, 2), b.y + enters];
  const [out, back] = [from === 'right' ? 1 : -1, to === 'right' ? 1 : -1];
  if (kind === 'beside') {
    const far = 34 + Math.abs(a.y - b.y) / 10;
    return [start, [start[0] + far * out, start[1]], [end[0] + far * back, end[1]], end];
  }
  const bend = Math.max(Math.abs(end[0] - start[0]) / 2, 40);
  const through = pass(layout, start, end);
  // Half way a curve is at 3/4 of its two handles and 1/4 of its ends.
  const handle = through === null ? null : (through - (start[1] + end[1]) / 8) / 0.75;
  return [start, [start[0] + bend * out, handle ?? start[1]], [end[0] + bend * back, handle ?? end[1]], end];
}

const tries = [0.72, 0.6, 0.82, 0.5, 0.4, 0.3, 0.2];
const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

const over = ([x, y]) => [x, y - sizes.labelHeight / 2 - 1];

/** Beside the box that the arrow leaves and clear of its head. */
const between = (x, [start, , , end], width) =>
  Math.max(Math.min(x, end[0] - 14 - width / 2), start[0] + 4 + width / 2);

/**
 * The arrows with their way: [{ arrow, kind, points, label: { x, y, width } or null }], points of one cubic curve.
 * `textOf(arrow)` is what its label says. Labels stand over the line, nearer to the outer end, where arrows are
 * apart, heaviest first; one that would cover a box or another label is left out.
 */
export function routes(arrows, layout, textOf) {
  const heights = ports(arrows, layout);
  const taken = [...layout.at.values()].map(({ x, y }) => ({ x, y, width: sizes.boxWidth, height: sizes.boxHeight }));
  const ways = arrows.map((arrow, i) => ({
    arrow,
    kind: kindOf(arrow, layout),
    points: route(arrow, layout, heights[i]),
    label: null,
  }));
  const heaviest = [...ways].sort(
    (a, b) => (b.arrow.ticks ?? 0) - (a.arrow.ticks ?? 0) || b.arrow.calls - a.arrow.calls,
  );
  for (const way of heaviest) {
    const width = textOf(way.arrow).length * sizes.letter + 6;
    const outward = Math.abs(layout.at.get(way.arrow.to).level) >= Math.abs(layout.at.get(way.arrow.from).level);
    for (const t of way.kind === 'self' ? [0.5] : tries) {
      const [onX, onY] = over(curve(...way.points, outward ? t : 1 - t));
      const isLoop = way.kind === 'self';
      const x = isLoop ? way.points[0][0] - 6 - width / 2 : way.kind === 'ahead' ? between(onX, way.points, width) : onX;
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

/** What boxes, arrows and labels take together: { x, y, width, height }. */
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
