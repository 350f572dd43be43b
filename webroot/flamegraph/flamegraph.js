// flamegraph.js - zoom, search and details for the SVG flame graph, which is complete without it.

import { matcher } from '../js/model/search.js';

const wide = 1168; // as in svg.c
const letter = 7.25;
const pad = 4;
const tools = { x: 684, y: 14, width: 500, height: 36 };
const svg = document.documentElement;
const names = JSON.parse(document.getElementById('names').textContent);
const details = document.getElementById('details');
const frames = [...document.querySelectorAll('.frame')].map(readFrame);
const root = frames[0];
let zoomed = root;

function readFrame(group) {
  const rect = group.querySelector('rect');
  return {
    group,
    rect,
    text: group.querySelector('text'),
    x: Number(rect.getAttribute('x')),
    y: Number(rect.getAttribute('y')),
    w: Number(rect.getAttribute('width')),
    name: names[Number(group.dataset.f)] ?? 'all',
    figures: group.querySelector('title').textContent.split('\n').pop(),
  };
}

/** A name shortened to `room` pixels, or ''. */
function label(name, room) {
  const letters = [...name];
  const fit = Math.floor((room - 2 * pad) / letter);
  if (letters.length <= fit) return name;
  return fit < 4 ? '' : `${letters.slice(0, fit - 1).join('')}…`;
}

function place(frame, x, w) {
  const hidden = w < 0.1 || x >= wide || x + w <= 0;
  frame.group.style.display = hidden ? 'none' : '';
  if (hidden) return;
  const left = Math.max(x, 0);
  const width = Math.min(x + w, wide) - left;
  frame.rect.setAttribute('x', left);
  frame.rect.setAttribute('width', width);
  frame.rect.classList.toggle('thin', width < 2);
  const shown = label(frame.name, width);
  if (!frame.text && shown) {
    frame.text = document.createElementNS(svg.namespaceURI, 'text');
    frame.text.setAttribute('y', frame.y + 14);
    frame.group.append(frame.text);
  }
  if (!frame.text) return;
  frame.text.setAttribute('x', left + pad);
  frame.text.textContent = shown;
}

function zoom(to) {
  zoomed = to;
  const scale = wide / to.w;
  for (const frame of frames) {
    place(frame, (frame.x - to.x) * scale, frame.w * scale);
    frame.group.classList.toggle('above', frame.y < to.y);
  }
  reset.hidden = to === root;
  tell(to);
}

function tell(frame) {
  const cut = [...frame.name].length > 110 ? `${[...frame.name].slice(0, 109).join('')}…` : frame.name;
  details.textContent = frame === root ? frame.figures : `${cut}   ${frame.figures}`;
}

/** The share of the whole in matching frames, each part counted once. */
function share(hits) {
  let covered = 0;
  let end = -1;
  // From left to right, callers first: a frame that begins before the end is inside a match.
  for (const frame of [...hits].sort((a, b) => a.x - b.x || a.y - b.y)) {
    const to = frame.x + frame.w;
    covered += Math.max(to - Math.max(frame.x, end), 0);
    end = Math.max(end, to);
  }
  return covered / wide;
}

function search(text) {
  const match = matcher(text);
  if (match.error) {
    found.value = 'not an expression';
    return;
  }
  const hits = match.empty ? [] : frames.filter((frame) => frame !== root && match.test(frame.name));
  const lit = new Set(hits);
  for (const frame of frames) {
    frame.group.classList.toggle('lit', lit.has(frame));
    frame.group.classList.toggle('dark', !match.empty && frame !== root && !lit.has(frame));
  }
  found.value = match.empty ? '' : `${(share(hits) * 100).toFixed(1)} %`;
}

function press(event) {
  if (event.key === 'Escape') {
    if (input.value) {
      input.value = '';
      search('');
    } else {
      zoom(root);
    }
    input.blur();
  } else if (event.target !== input && event.key === '/') {
    event.preventDefault();
    input.focus();
  }
}

// Tools exist only if scripts run.
const xhtml = (tag) => document.createElementNS('http://www.w3.org/1999/xhtml', tag);
const holder = document.createElementNS(svg.namespaceURI, 'foreignObject');
for (const [key, at] of Object.entries(tools)) holder.setAttribute(key, at);
const bar = xhtml('div');
bar.className = 'tool';
const found = xhtml('output');
const reset = xhtml('button');
reset.type = 'button';
reset.textContent = 'Show all';
reset.hidden = true;
reset.addEventListener('click', () => zoom(root));
const input = xhtml('input');
input.type = 'search';
input.placeholder = 'Search functions or /regex/';
input.setAttribute('aria-label', 'Search functions');
input.addEventListener('input', () => search(input.value));
bar.append(found, reset, input);
holder.append(bar);
document.getElementById('tools').append(holder);

for (const frame of frames) {
  frame.group.addEventListener('click', () => zoom(frame));
  frame.group.addEventListener('mouseenter', () => tell(frame));
  frame.group.addEventListener('mouseleave', () => tell(zoomed));
}
document.addEventListener('keydown', press);
tell(root);
