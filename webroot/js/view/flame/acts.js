// acts.js - the actions on a frame of the flame graph, for buttons, keys and menus.

/** Does `what` to the frame; false if there is none. */
export function act(view, what, node = view.stage.meant) {
  const { host, frames, functions, stage } = view;
  if (frames === null || node < 0) return false;
  if (what === 'zoom') {
    stage.zoomTo(node);
    return true;
  }
  const fn = frames.fn[node];
  if (fn < 0) return false;
  const label = host.profile.labelOf(fn);
  if (what === 'function') host.go({ view: 'functions', fn: label });
  if (what === 'source') host.go({ view: 'source', fn: label, row: '' });
  if (what === 'hide') host.go({ hide: [...new Set([...host.place.hide, label])] });
  if (what === 'merge') host.go({ merge: [...new Set([...host.place.merge, label])] });
  if (what === 'focus') host.go({ focus: [label], zoom: [] });
  if (what === 'copy') host.copy(functions[fn]?.name ?? '', 'Name');
  if (['hide', 'merge', 'focus'].includes(what)) stage.select(-1);
  return true;
}

const entries = [
  ['zoom', { label: 'Zoom to this frame', icon: 'zoom', key: '⏎' }],
  ['focus', { label: 'Focus on this function', icon: 'focus', key: 'f' }],
  ['hide', { label: 'Hide this function and all it calls', icon: 'hide', key: 'h' }],
  ['merge', { label: 'Merge this function into its callers', key: 'x' }],
  ['function', { label: 'Callers, callees, durations', icon: 'table', key: 'g' }],
  ['source', { label: 'Source and instructions', icon: 'code', key: 's' }],
  ['copy', { label: 'Copy name', key: 'y' }],
];

/** Opens the menu of a frame at a position in the window. */
export function openFrameMenu(view, node, at) {
  const name = view.functions[view.frames.fn[node]]?.name ?? '';
  const items = entries
    .filter(([what]) => view.hasSource || what !== 'source')
    .map(([what, item]) => ({ ...item, run: () => act(view, what, node) }));
  view.host.openMenu(at, name, items);
}
