// stage.js - one flame graph on a canvas: its zoom, selection and pointer position, and how pointer and keys change
// them.
//
// Data arrives all the time, so nothing here keeps a box: zoom, selection and pointer keep a path of functions, and
// each `show` finds its present frame.

import { el, setText } from '../../dom.js';
import { neighbour, panRange, rangeOf, zoomRange } from '../../model/layout.js';
import { pointerBox } from '../../model/tipspot.js';
import { Tip } from '../tip.js';
import { FlameCanvas } from './canvas.js';
import { Glide } from './glide.js';
import { Minimap } from './minimap.js';
import { listenToPointer } from './pointer.js';

const readablePx = 30; // a frame shown on request is at least this wide

export class Stage {
  #on;
  #frames = null;
  #zoomPath = [];
  #selectedPath = null;
  #hovered = -1;
  #hoveredPath = null;
  #spot = null; // the pointer's position (pointer.js), or null
  #keyed = false; // true: the selection was last changed by keys
  #tip = new Tip();
  #merged = 0; // frames merged in the mark under the pointer
  #span = [0, 1]; // the visible part of the zoomed frame
  #glide = new Glide();
  #frame = 0;
  #trail = []; // zooms to return to
  #scroller;
  #spoken;
  #canvas;
  #map = new Minimap({ centre: (share) => this.#centre(share) });

  /**
   * on: { id, label (for the elements), labelOf(fn), zoomed() the labels zoomed to, go(labels, how) zooms, scene() what
   * the painter needs besides the geometry, painted() called after each painting, spoken(node) a sentence for screen
   * readers, tip(node, merged) the tip's text (part/tip.js), menu(node, spot) opens a frame's menu }.
   */
  constructor(on) {
    this.#on = on;
    /** Nodes of the frames shown, looked up again when they change; -1 for none. */
    this.zoom = 0;
    this.selected = -1;
    this.#scroller = el('div', { class: 'flame-scroll' });
    this.#spoken = el('p', { class: 'hidden', id: `${on.id}-spoken`, 'aria-live': 'polite' });
    this.#canvas = el('canvas', {
      role: 'img',
      tabindex: '0',
      'aria-describedby': this.#spoken.id,
      'aria-label': on.label,
    });
    this.painter = new FlameCanvas(this.#scroller, this.#canvas);
    this.root = el('div', { class: 'flame-main' }, this.#scroller, this.#map.root, this.#spoken, this.#tip.root);
    this.#listen();
  }

  #listen() {
    const { painter } = this;
    listenToPointer(this.#canvas, {
      find: (x, y) => (this.#frames === null ? null : painter.at(x, y)),
      point: (found, spot) => this.#point(found, spot),
      press: (found, byFinger) => this.#press(found, byFinger),
      menu: (found, spot) => this.#menuOf(found?.node ?? this.selected, found === null ? null : spot),
      pan: (share) => this.pan(share),
      zoom: (factor, at) => this.zoomBy(factor, at),
      scrolls: () => this.#scroller.scrollHeight > this.#scroller.clientHeight + 1,
    });
    this.#scroller.addEventListener('scroll', () => this.paint());
  }

  get #empty() {
    return this.#frames === null || this.#frames.weight[0] === 0;
  }

  #labels(node) {
    return this.#frames.path(node).map(this.#on.labelOf);
  }

  /** The node of exactly this path, or -1 if it does not exist. */
  #exactly(path) {
    const node = this.#frames.find(path);
    return this.#frames.depth[node] === path.length ? node : -1;
  }

  /** The number of frames merged in the mark pointed at; 0 for a frame. */
  get narrow() {
    return this.#hovered >= 0 ? this.#merged : 0;
  }

  /** The frame for the details line: the one pointed at, else the selected one, else -1. */
  get meant() {
    return this.#hovered >= 0 ? this.#hovered : this.selected;
  }

  /** Sets the frames to draw and the path of functions they are zoomed to. */
  show(next, path) {
    if (next !== this.#frames) {
      this.#frames = next;
      if (this.#selectedPath !== null) this.selected = this.#exactly(this.#selectedPath);
      if (this.#hoveredPath !== null) this.#hovered = this.#exactly(this.#hoveredPath);
    }
    if (path.join() !== this.#zoomPath.join()) {
      if (next.count > 1) this.#glide.start();
      this.#span = [0, 1];
      this.#zoomPath = path;
    }
    this.zoom = next.find(path);
  }

  zoomTo(node) {
    const to = this.#labels(node);
    this.#span = [0, 1];
    if (to.join('\n') === this.#on.zoomed().join('\n')) {
      this.#glide.start();
      this.paint();
      return;
    }
    this.#trail.push(this.#on.zoomed());
    this.#on.go(to);
    this.painter.showRow(this.#frames.depth[node]);
  }

  showAll() {
    this.#trail.length = 0;
    this.zoomTo(0);
  }

  back() {
    if (this.#span[0] !== 0 || this.#span[1] !== 1) {
      this.#span = [0, 1];
      this.#glide.start();
      this.paint();
      return true;
    }
    if (this.#on.zoomed().length > 0) {
      this.#on.go(this.#trail.pop() ?? []);
      return true;
    }
    if (this.selected < 0) return false;
    this.select(-1);
    return true;
  }

  select(node, speak = false) {
    this.selected = node;
    this.#selectedPath = node < 0 ? null : this.#frames.path(node);
    if (speak && node >= 0) setText(this.#spoken, this.#on.spoken(node));
    this.paint();
  }

  /** Selects the frame, and zooms as needed to see it. */
  reveal(node, speak = false) {
    const frames = this.#frames;
    const [from, to] = rangeOf(frames, this.zoom, this.#span);
    const inSight = frames.contains(this.zoom, node) && frames.start[node] >= from && frames.start[node] < to;
    const widthPx = (frames.weight[node] / (to - from)) * this.painter.width;
    [this.#hovered, this.#hoveredPath, this.#spot] = [-1, null, null]; // a resting pointer must not override the keys
    this.#keyed = true;
    this.select(node, speak);
    if (!inSight || widthPx < readablePx) {
      let above = Math.max(frames.parent[node], 0);
      if ((frames.weight[node] / (frames.weight[above] || 1)) * this.painter.width < readablePx) above = node;
      this.zoomTo(above);
    }
    this.painter.showRow(frames.depth[node]);
    this.paint();
  }

  #shift(to) {
    this.#glide.stop();
    if (to.node !== this.zoom) {
      this.#zoomPath = this.#frames.path(to.node);
      this.zoom = to.node;
      this.#on.go(this.#labels(to.node), { replace: true });
    }
    this.#span = to.span;
    this.paint();
  }

  zoomBy(factor, at = 0.5) {
    return this.#frames !== null && this.#shift(zoomRange(this.#frames, this.zoom, this.#span, factor, at));
  }

  pan(share) {
    return this.#frames !== null && this.#shift(panRange(this.#frames, this.zoom, this.#span, share));
  }

  /** Centres the position at `share` of the whole. */
  #centre(share) {
    if (this.#empty) return;
    const [from, to] = rangeOf(this.#frames, this.zoom, this.#span);
    this.pan((share * this.#frames.weight[0] - (from + to) / 2) / (to - from));
  }

  /** way: 'left', 'right', 'up' or 'down'. */
  arrow(way) {
    if (this.#empty) return false;
    const { selected, zoom } = this;
    let node = selected < 0 ? zoom : neighbour(this.#frames, selected, way);
    if (selected < 0 && zoom === 0 && way === 'down') node = neighbour(this.#frames, 0, 'down');
    if (!this.#frames.contains(zoom, node)) this.zoomTo(node);
    this.#point(null, null); // a resting pointer must not override the keys
    this.#keyed = true;
    this.select(node, true);
    this.painter.showRow(this.#frames.depth[node]);
    return true;
  }

  // --- pointer

  #point(found, spot) {
    const node = found?.node ?? -1;
    this.#spot = spot;
    if (spot !== null) this.#keyed = false;
    if (node === this.#hovered && this.#merged === (found?.more ?? 0)) {
      this.#tell();
      return;
    }
    this.#hovered = node;
    this.#hoveredPath = node < 0 ? null : this.#frames.path(node);
    this.#merged = found?.more ?? 0;
    this.paint();
  }

  #press(found, byFinger) {
    const node = found?.node ?? -1;
    this.#keyed = false;
    // A finger hides what it points at: the first tap shows what it is, the second zooms.
    const only = byFinger && node !== this.selected;
    this.select(node);
    if (found?.more > 0) this.zoomTo(Math.max(this.#frames.parent[node], 0));
    else if (node >= 0 && !only) this.zoomTo(node);
  }

  /** Opens the menu of the selected frame. */
  menu() {
    return this.#menuOf(this.selected, null);
  }

  /** Without a spot the menu is at the selected frame. */
  #menuOf(node, spot) {
    if (node < 0 || this.#frames.fn[node] < 0) return false;
    const at = spot ?? this.#menuSpot();
    this.select(node);
    this.#on.menu(node, at);
    return true;
  }

  #menuSpot() {
    const box = this.#canvas.getBoundingClientRect();
    const row = this.#frames.depth[this.selected] + 1;
    return { x: box.left + 24, y: box.top + row * this.painter.rowPx - this.#scroller.scrollTop };
  }

  /** Shows the tip at the pointer, or at the frame selected by keys. */
  #tell() {
    const under = this.#spot && this.painter.at(this.#spot.x, this.#spot.y); // new data may have moved the frame
    const isPointed = this.#hovered >= 0 && under?.node === this.#hovered;
    if (isPointed) this.#tip.show(this.#on.tip(this.#hovered, this.#merged), pointerBox(this.#spot.window));
    else if (this.#keyed && this.selected >= 0 && !this.#glide.going) this.#tip.show(this.#on.tip(this.selected, 0), this.painter.boxOf(this.selected));
    else this.#tip.show(null, null);
  }

  // --- drawing

  /** Draws with the next animation frame, unless the graph is hidden. */
  paint() {
    if (this.#frame !== 0 || this.#frames === null || this.root.closest('[hidden]') !== null) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.root.closest('[hidden]') === null) this.paintNow();
    });
  }

  paintNow() {
    if (this.#empty) return;
    const all = this.#frames.weight[0];
    const wanted = rangeOf(this.#frames, this.zoom, this.#span).map((edge) => edge / all);
    const [from, to] = this.#glide.step(wanted);
    if (this.#glide.going) this.paint();
    const part = { frames: this.#frames, from: from * all, to: to * all };
    const scene = this.#on.scene();
    this.painter.paint({ ...scene, ...part, zoom: this.zoom, hover: this.#hovered, selected: this.selected });
    const { ink } = this.painter;
    const fillOf = scene.fillOf ?? ((node) => this.painter.fillOf(node));
    this.#map.show({ ...part, fillOf, ink: ink.accent, ground: ink.ground });
    this.#on.painted();
    this.#tell();
  }
}
