// acts.js - the actions of the Compare view on a frame or a row, for buttons, keys and menus.

import { widestFrames } from '../../model/versus.js';

/** Goes to a frame; if it has no width on this side, swaps the side first. */
export function goTo(view, node) {
  if (node < 0) return;
  const { host, versus, stage } = view;
  const { frames, aligned } = versus;
  if (frames.weight[node] > 0) {
    stage.reveal(node, true);
    return;
  }
  view.pending = frames.path(node).map((fn) => aligned.functions[fn].label);
  host.go({ side: host.place.side === 'after' ? 'before' : 'after' });
}

/** Goes to the pending frame once the widths of the other side are available. */
export function goToPending(view) {
  const { pending, versus, stage } = view;
  if (pending === null || versus.side !== view.host.place.side) return;
  view.pending = null;
  stage.reveal(versus.frames.find(pending.map(versus.aligned.idOf)), true);
}

/** Opens the function in the Functions view, or shows its frame here if it is only in the other profile. */
export function lead(view, entry) {
  const { host, versus } = view;
  const current = host.after.held !== null ? null : host.place.swap ? entry.before : entry.after;
  if (current !== null) {
    host.go({ view: 'functions', fn: host.profile.labelOf(current.id) });
    return;
  }
  host.toast('info', `${entry.name} is not in the current profile`, 'Here is where it was.');
  host.go({ show: 'flame' });
  goTo(view, widestFrames(versus.frames, versus.aligned.functions.length)[entry.id]);
}

export function copyTable(view) {
  if (view.versus !== null) view.host.copy(view.table.csv(), 'Table');
}

function actInTable(view, what) {
  const chosen = view.table.chosen();
  if (what === 'copy') copyTable(view);
  else if (chosen !== null) lead(view, chosen);
  return chosen !== null || what === 'copy';
}

/** Does 'zoom', 'function' or 'copy'; false if there is no frame or row. */
export function act(view, what, node = view.stage.meant) {
  const { host, versus, stage } = view;
  if (versus === null) return false;
  if (host.place.show === 'table') return actInTable(view, what);
  if (node < 0) return false;
  if (what === 'zoom') {
    stage.zoomTo(node);
    return true;
  }
  const entry = versus.aligned.functions[versus.frames.fn[node]] ?? null;
  if (entry === null) return false;
  if (what === 'function') lead(view, entry);
  if (what === 'copy') host.copy(entry.name, 'Name');
  return true;
}

/** Opens the menu of a frame at a position in the window. */
export function openFrameMenu(view, node, at) {
  const { aligned, frames } = view.versus;
  view.host.openMenu(at, aligned.functions[frames.fn[node]].name, [
    { label: 'Zoom to this frame', icon: 'zoom', key: '⏎', run: () => act(view, 'zoom', node) },
    { label: 'Callers, callees, durations', icon: 'table', key: 'g', run: () => act(view, 'function', node) },
    { label: 'Copy name', key: 'y', run: () => act(view, 'copy', node) },
  ]);
}
