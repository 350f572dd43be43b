// view-menu.js - the toolbar button "View": a menu of display options, each with its key.

import { el, icon, setAttr } from '../dom.js';

/**
 * A button that opens a menu. `sections()` returns [{ heading, key, items: [[value, label]], now, choose(value) }]: one
 * choice of several; { label, key, now (true or false), choose() }: a switch; { label, key, run }: a command; or {
 * heading } for those after it.
 */
export function createViewMenu(host, label, sections) {
  const press = el('button', { type: 'button', class: 'button small', title: `How ${label} is shown`, 'aria-haspopup': 'menu', 'aria-expanded': 'false', onclick: () => host.openMenu(press, 'View', itemsOf(sections()), '', 'left') }, el('span', {}, 'View'), icon('down'));
  setAttr(press, 'aria-label', `View: how ${label} is shown`);
  return press;
}

function itemsOf(sections) {
  return sections.flatMap((section) => {
    const { heading, key, now, choose } = section;
    if (heading !== undefined && section.items === undefined) return [{ heading, key }];
    if (section.items === undefined) return [choose ? { label: section.label, key, checked: now, run: choose } : { label: section.label, key, run: section.run }];
    const items = section.items.map(([value, label]) => ({ label, checked: value === now, one: true, run: () => choose(value) }));
    return [{ heading, key }, ...items];
  });
}
