// keys.js - the keys of the timeline.

const group = 'Timeline';

/** `on` has a function for each key's action; if it returns false, the key is not consumed. */
export function timelineActions(on) {
  const ways = { ArrowLeft: 'before', ArrowRight: 'after', ArrowUp: 'caller', ArrowDown: 'callee' };
  const list = [
    [['ArrowLeft', 'ArrowRight'], 'Call before, after', (event) => on.walk(ways[event.key])],
    [['ArrowUp', 'ArrowDown'], 'Caller, longest callee', (event) => on.walk(ways[event.key])],
    [['w', 's', '+', '-'], 'Closer, further', (event) => on.zoom('w+'.includes(event.key) ? 0.7 : 1 / 0.7)],
    [['a', 'd', ',', '.'], 'Move left, right', (event) => on.pan('a,'.includes(event.key) ? -0.15 : 0.15)],
    [['PageUp', 'PageDown'], 'Lanes above, below', (event) => on.page(event.key === 'PageUp' ? -1 : 1)],
    [['0'], 'All available time', on.showAll],
    [['f'], 'Follow the newest', on.follow],
    [['z'], 'Zoom to the call', () => on.act('zoom')],
    [['['], 'Range begins here', () => on.bracket('in')],
    [[']'], 'Range ends here', () => on.bracket('out')],
    [['Enter'], 'Range of the call', () => on.act('range')],
    [['m'], 'Next marker', () => on.marker(1)],
    [['Shift+M'], 'Previous marker', () => on.marker(-1)],
    [['b'], 'Note at the moment pointed at, selected or gone to', on.note],
    [['x'], 'Next gap, where records were lost', () => on.gap(1)],
    [['Shift+G'], 'Previous gap', () => on.gap(-1)],
    [['o'], 'Longest visible call, beyond its usual time', on.longest],
    [['c'], 'Fold the lane pointed at, focused or of the call selected', () => on.lane('fold')],
    [['p'], 'Pin the lane to the top, or no more', () => on.lane('pin')],
    [['h'], 'Hide the lane', () => on.lane('hide')],
    [['u'], 'Show the lanes that are hidden', on.showHidden],
    [['<', '>'], 'Move the lane up, down', (event) => on.lane(event.key === '<' ? 'up' : 'down')],
    [['l'], 'Triggers: set one, list its hits', on.windows],
    [['g'], 'Open in its view: a call in Functions, a message in Messages', () => on.act('further')],
  ];
  return list.map(([keys, label, run]) => ({ keys, label, group, run }));
}
