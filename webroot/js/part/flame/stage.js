// stage.js - one flame graph on a canvas: what it is zoomed to, what is selected or pointed at, and how
// pointer and keys change that.
//
// Data arrives while the reader looks. So nothing here remembers a box: zoom, selection and pointer remember
// a path of functions, and each `show` finds the frame that this path leads to now.

import { el, setText } from '../../dom.js';
import { neighbour, panRange, rangeOf, zoomRange } from '../../model/layout.js';
import { FlameCanvas } from './canvas.js';
import { listenToPointer } from './pointer.js';

const glideMs = 140;
const readablePx = 30; // a frame shown on request is at least this wide
const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * on: { id, label (names of the elements), labelOf(fn), zoomed() the labels zoomed to, go(labels, how) zooms,
 * scene() what the painter needs besides the geometry, painted() after each painting, spoken(node) a sentence
 * for ears, menu(node, spot) opens the menu of a frame }.
 */
export function createStage(on) {
  let frames = null;
  let zoom = 0; // nodes of `frames`, found anew when they change
  let selected = -1;
  let hovered = -1;
  let zoomPath = [];
  let selectedPath = null;
  let hoveredPath = null;
  let narrow = 0; // frames merged in the mark under the pointer
  let span = [0, 1]; // the part of the zoomed frame in sight
  let drawn = [0, 1]; // what was painted last, as shares of the whole
  let glide = null; // { from: [a, b], began }
  let frame = 0;
  const trail = []; // zooms to come back to

  const scroller = el('div', { class: 'flame-scroll' });
  const spoken = el('p', { class: 'hidden', id: `${on.id}-spoken`, 'aria-live': 'polite' });
  const canvas = el('canvas', {
    role: 'img',
    tabindex: '0',
    'aria-describedby': spoken.id,
    'aria-label': on.label,
  });
  const painter = new FlameCanvas(scroller, canvas);
  const root = el('div', { class: 'flame-main' }, scroller, spoken);

  const empty = () => frames === null || frames.weight[0] === 0;
  const labels = (node) => frames.path(node).map(on.labelOf);

  /** The node of exactly this path, or -1 while it is not there. */
  function exactly(path) {
    const node = frames.find(path);
    return frames.depth[node] === path.length ? node : -1;
  }

  function glideOn() {
    glide = { from: drawn, began: performance.now() };
  }

  /** Takes the frames to draw and the path of functions they are zoomed to. */
  function show(next, path) {
    if (next !== frames) {
      frames = next;
      if (selectedPath !== null) selected = exactly(selectedPath);
      if (hoveredPath !== null) hovered = exactly(hoveredPath);
    }
    if (path.join() !== zoomPath.join()) {
      if (frames.count > 1) glideOn();
      span = [0, 1];
      zoomPath = path;
    }
    zoom = frames.find(path);
  }

  function zoomTo(node) {
    const to = labels(node);
    span = [0, 1];
    if (to.join('\n') === on.zoomed().join('\n')) {
      glideOn();
      paint();
      return;
    }
    trail.push(on.zoomed());
    on.go(to);
    painter.showRow(frames.depth[node]);
  }

  function back() {
    if (span[0] !== 0 || span[1] !== 1) {
      span = [0, 1];
      glideOn();
      paint();
      return true;
    }
    if (on.zoomed().length > 0) {
      on.go(trail.pop() ?? []);
      return true;
    }
    if (selected < 0) return false;
    select(-1);
    return true;
  }

  function select(node, speak = false) {
    selected = node;
    selectedPath = node < 0 ? null : frames.path(node);
    if (speak && node >= 0) setText(spoken, on.spoken(node));
    paint();
  }

  /** Selects the frame and zooms out or in as far as it takes to see it. */
  function reveal(node, speak = false) {
    const [from, to] = rangeOf(frames, zoom, span);
    const inSight = frames.contains(zoom, node) && frames.start[node] >= from && frames.start[node] < to;
    const widthPx = (frames.weight[node] / (to - from)) * painter.width;
    select(node, speak);
    if (!inSight || widthPx < readablePx) {
      let above = Math.max(frames.parent[node], 0);
      if ((frames.weight[node] / (frames.weight[above] || 1)) * painter.width < readablePx) above = node;
      zoomTo(above);
    }
    painter.showRow(frames.depth[node]);
    paint();
  }

  function shift(to) {
    glide = null;
    span = to.span;
    if (to.node !== zoom) {
      const kept = to.span;
      zoomPath = frames.path(to.node);
      zoom = to.node;
      on.go(labels(to.node), { replace: true });
      span = kept;
    }
    paint();
  }

  const zoomBy = (factor, at = 0.5) => frames !== null && shift(zoomRange(frames, zoom, span, factor, at));
  const pan = (share) => frames !== null && shift(panRange(frames, zoom, span, share));

  function arrow(way) {
    if (empty()) return false;
    let node = selected < 0 ? zoom : neighbour(frames, selected, way);
    if (selected < 0 && zoom === 0 && way === 'down') node = neighbour(frames, 0, 'down');
    if (!frames.contains(zoom, node)) zoomTo(node);
    point(null); // a pointer that only lies there must not outdo the keys
    select(node, true);
    painter.showRow(frames.depth[node]);
    return true;
  }

  // --- pointer
  // --------------------------------------------------------------------------------------------------------

  function point(found) {
    const node = found?.node ?? -1;
    if (node === hovered && narrow === (found?.more ?? 0)) return;
    hovered = node;
    hoveredPath = node < 0 ? null : frames.path(node);
    narrow = found?.more ?? 0;
    paint();
  }

  function press(found, byFinger) {
    const node = found?.node ?? -1;
    // A finger hides what it points at: the first tap tells what it is, the second zooms.
    const only = byFinger && node !== selected;
    select(node);
    if (found?.more > 0) zoomTo(Math.max(frames.parent[node], 0));
    else if (node >= 0 && !only) zoomTo(node);
  }

  function menu(node, spot) {
    if (node < 0 || frames.fn[node] < 0) return false;
    select(node);
    on.menu(node, spot);
    return true;
  }

  function menuSpot() {
    const box = canvas.getBoundingClientRect();
    return {
      x: box.left + 24,
      y: box.top + (frames.depth[selected] + 1) * painter.rowPx - scroller.scrollTop,
    };
  }

  listenToPointer(canvas, {
    find: (x, y) => (frames === null ? null : painter.at(x, y)),
    point,
    press,
    menu(found, spot) {
      const node = found?.node ?? selected;
      return node >= 0 && menu(node, found === null ? menuSpot() : spot);
    },
    pan,
    zoom: zoomBy,
    scrolls: () => scroller.scrollHeight > scroller.clientHeight + 1,
  });
  scroller.addEventListener('scroll', () => paint());

  // --- drawing
  // --------------------------------------------------------------------------------------------------------

  /** Draws with the next animation frame; nothing while the graph is not to be seen. */
  function paint() {
    if (frame === 0 && frames !== null && root.closest('[hidden]') === null) {
      frame = requestAnimationFrame(() => {
        frame = 0;
        if (root.closest('[hidden]') === null) paintNow();
      });
    }
  }

  function paintNow() {
    if (empty()) return;
    const all = frames.weight[0];
    let [from, to] = rangeOf(frames, zoom, span).map((edge) => edge / all);
    if (glide !== null) {
      const t = still.matches ? 1 : Math.min((performance.now() - glide.began) / glideMs, 1);
      const eased = 1 - (1 - t) ** 3;
      from = glide.from[0] + (from - glide.from[0]) * eased;
      to = glide.from[1] + (to - glide.from[1]) * eased;
      if (t < 1) paint();
      else glide = null;
    }
    drawn = [from, to];
    painter.paint({ ...on.scene(), frames, from: from * all, to: to * all, zoom, hover: hovered, selected });
    on.painted();
  }

  return {
    root,
    painter,
    get zoom() {
      return zoom;
    },
    get selected() {
      return selected;
    },
    get hovered() {
      return hovered;
    },
    get narrow() {
      return hovered >= 0 ? narrow : 0;
    },
    /** The frame in the details line: the one pointed at, else the one selected, else -1. */
    get meant() {
      return hovered >= 0 ? hovered : selected;
    },
    show,
    paint,
    paintNow,
    zoomTo,
    zoomBy,
    pan,
    back,
    select,
    reveal,
    arrow,
    /** The menu of the frame selected. */
    menu: () => selected >= 0 && menu(selected, menuSpot()),
    showAll() {
      trail.length = 0;
      zoomTo(0);
    },
  };
}
