// table-keys.js - a table's keys, and its sorting by headings and keys.

/**
 * The keys of a table: up and down, by pages, to both ends, and the order. `move(step)` chooses the row `step`
 * further; `order` is that of createOrder(), where there is one.
 */
export function tableKeys(group, noun, table, move, order = null) {
  const rows = () => table.rows().length;
  const keys = [
    [['ArrowDown', 'ArrowUp'], `Next, previous ${noun}`, ({ key }) => move(key === 'ArrowDown' ? 1 : -1)],
    [['PageDown', 'PageUp'], 'A page further', ({ key }) => move((key === 'PageDown' ? 1 : -1) * table.pageRows())],
    [['Home', 'End'], `First, last ${noun}`, ({ key }) => move(key === 'End' ? rows() : -rows())],
  ];
  if (order !== null) {
    keys.push([['<', '>'], 'Sort by the column left, right', ({ key }) => order.step(key === '>' ? 1 : -1)]);
    keys.push([['v'], 'Turn the order round', () => order.turn()]);
  }
  return keys.map(([names, label, run]) => ({ keys: names, label, group, run }));
}

/**
 * Sorts a table by the place's `sort` and `rising`: `columns()` are those shown, `current()` the one sorted by. Numbers
 * begin with the largest, text with A.
 */
export function createOrder(host, columns, current) {
  const begin = (column) => host.go({ sort: column.id, rising: column.of === undefined }, { replace: true });
  const turn = () => host.go({ sort: current().id, rising: !host.place.rising }, { replace: true });
  return {
    turn,
    by: (column) => (column.id === current().id ? turn() : begin(column)),
    step(by) {
      const list = columns().filter((column) => !column.plain);
      begin(list[(list.indexOf(current()) + by + list.length) % list.length]);
    },
  };
}
