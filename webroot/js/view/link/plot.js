// plot.js - a small plot of one value over time.

import { el, setText } from '../../dom.js';
import { agoText, outagesOf, roundUp, runsOf } from '../../model/series.js';
import { fitted } from '../../part/fitted.js';

const leastMs = 60000;

/** `text(value)` formats a value; `tone` is the style's colour to draw in. */
export function createPlot(title, text, tone) {
  const parts = {
    title,
    text,
    tone,
    canvas: el('canvas', { role: 'img', 'aria-label': title }),
    now: el('strong'),
    top: el('span', { class: 'plot-top' }),
    since: el('span'),
  };
  const { canvas, now, top, since } = parts;
  parts.root = el(
    'figure',
    { class: 'plot' },
    el('figcaption', {}, el('span', {}, title), now),
    el('div', { class: 'plot-area' }, canvas, top),
    el('div', { class: 'plot-axis', 'aria-hidden': 'true' }, since, el('span', {}, 'now')),
  );
  return {
    root: parts.root,
    /** points: [{ time (ms), value (null where the source was away) }], oldest first. */
    draw: (points, current) => draw(parts, points, current),
  };
}

/** For screen readers: how often the source was away. */
const away = (points) => (outagesOf(points).length > 0 ? `, away ${outagesOf(points).length} times` : '');

function draw({ root, canvas, title, text, tone, now, top, since }, points, current) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0) return;
  const paint = fitted(canvas, canvas.clientWidth, canvas.clientHeight);
  const style = getComputedStyle(root);
  const most = roundUp(Math.max(...points.map((point) => point.value), 0) || 1);
  setText(now, text(current));
  setText(top, text(most));
  canvas.setAttribute('aria-label', `${title}: now ${text(current)}${away(points)}`);
  const y = (value) => height - 1.5 - (value / most) * (height - 6);
  drawGrid(paint, width, [most / 2, most].map(y), style.getPropertyValue('--line'));
  if (points.length === 0) return;
  const last = points[points.length - 1].time;
  const first = Math.min(points[0].time, last - leastMs);
  setText(since, `${agoText(last - first)} ago`);
  const x = (time) => ((time - first) / (last - first)) * (width - 1);
  drawOutages(paint, outagesOf(points).map(({ from, to }) => [x(from), x(to)]), height, style);
  for (const run of runsOf(points)) {
    const spots = run.map((point) => [x(point.time), y(point.value)]);
    if (spots.length === 1) spots.push([spots[0][0] + 1, spots[0][1]]);
    drawCurve(paint, spots, height, style.getPropertyValue(tone));
  }
}

/** What happened meanwhile is unknown: no curve, a ground of its own and a word where it fits. */
function drawOutages(paint, stretches, height, style) {
  paint.font = `11px ${style.getPropertyValue('--sans')}`;
  for (const [x0, x1] of stretches) {
    paint.fillStyle = style.getPropertyValue('--hatch-ground');
    paint.fillRect(x0, 0, Math.max(x1 - x0, 2), height);
    paint.fillStyle = style.getPropertyValue('--muted');
    if (x1 - x0 > 34) paint.fillText('away', x0 + 4, height - 6);
  }
}

function drawGrid(paint, width, levels, colour) {
  paint.strokeStyle = colour;
  paint.lineWidth = 1;
  for (const y of levels) {
    paint.beginPath();
    paint.moveTo(0, Math.round(y) + 0.5);
    paint.lineTo(width, Math.round(y) + 0.5);
    paint.stroke();
  }
}

function drawCurve(paint, spots, height, colour) {
  paint.beginPath();
  spots.forEach(([x, y], i) => paint[i === 0 ? 'moveTo' : 'lineTo'](x, y));
  paint.strokeStyle = colour;
  paint.lineWidth = 1.5;
  paint.lineJoin = 'round';
  paint.stroke();
  paint.lineTo(spots[spots.length - 1][0], height);
  paint.lineTo(spots[0][0], height);
  paint.globalAlpha = 0.14;
  paint.fillStyle = colour;
  paint.fill();
  paint.globalAlpha = 1;
}
