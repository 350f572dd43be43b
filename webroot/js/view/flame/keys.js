// keys.js - the keys of the flame graph.

const group = 'Flame graph';

/** `on` has a function for each key's action (flame.js); if it returns false, the key is not consumed. */
export function flameActions(on) {
  const arrows = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };
  const arrow = (event) => on.arrow(arrows[event.key]);
  const list = [
    [['ArrowLeft', 'ArrowRight'], 'Neighbouring frame', arrow],
    [['ArrowUp', 'ArrowDown'], 'Caller, heaviest callee', arrow],
    [['Enter'], 'Zoom to the frame', () => on.act('zoom')],
    [['0'], 'Show all', on.showAll],
    [['+', '-'], 'Closer, further', (event) => on.zoom(event.key === '+' ? 0.7 : 1 / 0.7)],
    [[',', '.'], 'Move left, right', (event) => on.pan(event.key === ',' ? -0.15 : 0.15)],
    [['f'], 'Focus on the function', () => on.act('focus')],
    [['h'], 'Hide the function and all it calls', () => on.act('hide')],
    [['x'], 'Merge the function into its callers', () => on.act('merge')],
    [['u'], 'Undo focus, hide and merge', on.unhide],
    [['g'], 'Open in Functions', () => on.act('function')],
    ...(on.hasSource ? [[['s'], 'Open in Source', () => on.act('source')]] : []),
    [['y'], 'Copy the name', () => on.act('copy')],
    [['m'], 'Menu of the frame', on.menu],
    [['i'], 'Top-down or callers', on.invert],
    [['o'], 'Left-heavy or A–Z', on.order],
    [['w'], 'Width: time, calls, samples', on.unit],
    [['r'], 'Fold recursion', on.fold],
    [['l'], 'Colour by function or file', on.colour],
    [['v'], 'Graph, table or both', on.parts],
  ];
  return list.map(([keys, label, run]) => ({ keys, label, group, run }));
}
