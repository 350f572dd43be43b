// keys.js - the keys of the Compare view.

const group = 'Compare';
const arrows = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };

/** `on` has a function for each key's action (compare.js); if it returns false, the key is not consumed. */
export function compareActions(on) {
  const { stage, sides } = on;
  const arrow = (event) => stage.arrow(arrows[event.key]);
  const base = [
    [['m'], 'Mark now: compare with this moment', sides.mark],
    [['f'], 'Open a snapshot file', sides.choose],
    [['Shift+F'], 'Open a file as After', sides.chooseAfter],
    [['Delete'], 'Remove the base', sides.remove],
  ];
  const always = [
    ...base,
    [['x'], 'Swap before and after', sides.swap],
    [['v'], 'Flame graph or table', on.show],
    [['p'], 'Measure: share, per call, per second, total', on.measure],
    [['w'], 'Unit: time, calls, samples', on.unit],
    [['i'], 'Since the mark, or all', on.since],
    [['l'], 'Least change that counts', on.least],
    [['g', 'Enter'], 'Open in Functions', () => on.act('function')],
  ];
  const inFlame = [
    [['ArrowLeft', 'ArrowRight'], 'Neighbouring frame', arrow],
    [['ArrowUp', 'ArrowDown'], 'Caller, heaviest callee', arrow],
    [['Enter'], 'Zoom to the frame', () => on.act('zoom')],
    [['0'], 'Show all', () => stage.showAll()],
    [['+', '-'], 'Closer, further', (event) => stage.zoomBy(event.key === '+' ? 0.7 : 1 / 0.7)],
    [[',', '.'], 'Move left, right', (event) => stage.pan(event.key === ',' ? -0.15 : 0.15)],
    [['b'], 'Widths of after or before', on.side],
    [['o'], 'Left-heavy or A–Z', on.order],
    [['y'], 'Copy the name', () => on.act('copy')],
  ];
  const inTable = [[['y'], 'Copy the table as CSV', () => on.act('copy')]];
  const all = on.there ? [...(on.inTable ? inTable : inFlame), ...always] : base;
  const own = all.map(([keys, label, run]) => ({ keys, label, group, run }));
  return on.there && on.inTable ? [...own, ...on.tableKeys.filter(({ keys }) => keys[0] !== 'v')] : own;
}
