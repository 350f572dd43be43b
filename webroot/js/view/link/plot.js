// plot.js - one measured value over time, drawn small.

import { el, setText } from '../../dom.js';
import { roundUp } from '../../model/series.js';

const leastMs = 60000;

function ago(s) {
  if (s < 120) return `${Math.round(s)} s`;
  return s < 7200 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;
}

/** `text(value)` writes a value; `tone` names the colour of the style to draw in. */
export function createPlot(title, text, tone) {
  const canvas = el('canvas', { role: 'img', 'aria-label': title });
  const now = el('strong');
  const top = el('span', { class: 'plot-top' });
  const since = el('span');
  const root = el(
    'figure',
    { class: 'plot' },
    el('figcaption', {}, el('span', {}, title), now),
    el('div', { class: 'plot-area' }, canvas, top),
    el('div', { class: 'plot-axis', 'aria-hidden': 'true' }, since, el('span', {}, 'now')),
  );

  /** points: [{ time (ms), value }], oldest first. */
  function draw(points, current) {
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const paint = canvas.getContext('2d');
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, width, height);
    const style = getComputedStyle(root);
    const most = roundUp(Math.max(...points.map((point) => point.value), 0) || 1);
    setText(now, text(current));
    setText(top, text(most));
    canvas.setAttribute('aria-label', `${title}: now ${text(current)}`);
    const y = (value) => height - 1.5 - (value / most) * (height - 6);
    paint.strokeStyle = style.getPropertyValue('--line');
    paint.lineWidth = 1;
    for (const share of [0.5, 1]) {
      paint.beginPath();
      paint.moveTo(0, Math.round(y(most * share)) + 0.5);
      paint.lineTo(width, Math.round(y(most * share)) + 0.5);
      paint.stroke();
    }
    if (points.length === 0) return;
    const last = points[points.length - 1].time;
    const first = Math.min(points[0].time, last - leastMs);
    setText(since, `${ago((last - first) / 1000)} ago`);
    const x = (time) => ((time - first) / (last - first)) * (width - 1);
    paint.beginPath();
    points.forEach((point, i) => paint[i === 0 ? 'moveTo' : 'lineTo'](x(point.time), y(point.value)));
    paint.strokeStyle = style.getPropertyValue(tone);
    paint.lineWidth = 1.5;
    paint.lineJoin = 'round';
    paint.stroke();
    paint.lineTo(x(points[points.length - 1].time), height);
    paint.lineTo(x(points[0].time), height);
    paint.globalAlpha = 0.14;
    paint.fillStyle = style.getPropertyValue(tone);
    paint.fill();
    paint.globalAlpha = 1;
  }

  return { root, draw };
}
