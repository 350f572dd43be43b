// dom.js - helpers for the document that every view uses.

/**
 * An element with properties (on… handlers, data-… and aria-… attributes, class) and children. Text is never parsed as
 * markup.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') node.className = value;
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'tabIndex' || name === 'checked') node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Sets the text if it differs; most figures do not change in an update. A new text node would have to be laid out from scratch. */
export function setText(node, text) {
  const { firstChild: first } = node;
  if (first?.nodeType === Node.TEXT_NODE && first === node.lastChild) {
    if (first.data !== text) first.data = text ?? '';
  } else if (node.textContent !== text) node.textContent = text;
}

export function setAttr(node, name, value) {
  if (value === null) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== value) {
    node.setAttribute(name, value);
  }
}

export function setWidth(node, share) {
  const width = `${(Math.min(Math.max(share || 0, 0), 1) * 100).toFixed(1)}%`;
  if (node.style.width !== width) node.style.width = width;
}

/**
 * Moves the focus from a button that the mouse pressed to the view, so that keys such as the space bar go there.
 * `pressed` is the result of an earlier pressedByMouse().
 */
export function focusView(pressed = pressedByMouse()) {
  if (pressed !== null && pressed === document.activeElement) document.getElementById('main')?.focus({ preventScroll: true });
}

/** The button or link that has the focus from a mouse click, or null. */
export function pressedByMouse() {
  const { activeElement: one } = document;
  return one?.matches('button:not(:focus-visible), a:not(:focus-visible)') ? one : null;
}

const shapes = {
  play: 'M5 3.2v9.6l7.6-4.8z',
  stop: 'M4 4h8v8H4z',
  reset: 'M8 3a5 5 0 1 0 4.9 6h-1.6A3.5 3.5 0 1 1 8 4.5c1 0 1.8.4 2.5 1L8.5 7.5H13V3l-1.5 1.5A5 5 0 0 0 8 3z',
  record: 'M8 1.6a6.4 6.4 0 1 1 0 12.8A6.4 6.4 0 0 1 8 1.6zm0 1.3a5.1 5.1 0 1 0 0 10.2A5.1 5.1 0 0 0 8 2.9zM8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z',
  device:
    'M4 4h8v8H4zm1.4 1.4v5.2h5.2V5.4zM6 1.5h1.2V4H6zm2.8 0H10V4H8.8zM6 12h1.2v2.5H6zm2.8 0H10v2.5H8.8zM1.5 6H4v1.2H1.5zm0 2.8H4V10H1.5zM12 6h2.5v1.2H12zm0 2.8h2.5V10H12z',
  clear: 'M6 2h4l.6 1H13v1.5H3V3h2.4zM4 5.5h8L11.3 14H4.7zM6.3 7v5.5h1V7zM8.7 7v5.5h1V7z',
  pause: 'M4.5 3h2.5v10H4.5zM9 3h2.5v10H9z',
  export: 'M7.25 2h1.5v5.7l2-2 1.05 1.05L8 10.55 4.2 6.75 5.25 5.7l2 2zM3 11.5h1.5v1h7v-1H13V14H3z',
  theme: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.5v9a4.5 4.5 0 0 1 0-9z',
  help: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zm0 1.4a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6zM7.3 10.4h1.4v1.4H7.3zM8 4.4c-1.4 0-2.4.8-2.5 2.2h1.3c.1-.7.5-1 1.2-1s1.1.4 1.1.9c0 1.1-1.7 1.1-1.7 2.9h1.3c0-1.2 1.8-1.3 1.8-3C10.5 5.2 9.4 4.4 8 4.4z',
  close:
    'M4.2 3.15 8 6.95l3.8-3.8 1.05 1.05L9.05 8l3.8 3.8-1.05 1.05L8 9.05l-3.8 3.8-1.05-1.05L6.95 8l-3.8-3.8z',
  zoom: 'M7 2a5 5 0 1 0 3 9l3 3 1-1-3-3a5 5 0 0 0-4-8zm0 1.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM6.3 5v1.3H5v1.4h1.3V9h1.4V7.7H9V6.3H7.7V5z',
  focus:
    'M2 2h4v1.5H3.5V6H2zM10 2h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zM12.5 10H14v4h-4v-1.5h2.5zM6 6h4v4H6z',
  hide: 'M2.3 1.3 14.7 13.7l-1 1-2.3-2.3A8 8 0 0 1 8 13C4.5 13 2 10.5 1 8c.5-1.2 1.3-2.3 2.4-3.2L1.3 2.3zM5 6.4A3.5 3.5 0 0 0 9.6 11L8.4 9.8A1.9 1.9 0 0 1 6.2 7.6zM8 3c3.5 0 6 2.5 7 5-.4 1-1 1.9-1.8 2.7l-2-2A3.5 3.5 0 0 0 7.3 4.7L6 3.3C6.6 3.1 7.3 3 8 3z',
  table: 'M2 3h12v10H2zm1.5 1.5v1.5h9V4.5zm0 3v1.5h4V7.5zm5.5 0v1.5h3.5V7.5zm-5.5 3v1h4v-1zm5.5 0v1h3.5v-1z',
  down: 'M4 6h8l-4 5z',
  up: 'M4 10h8L8 5z',
  more: 'M2 7h2.5v2.5H2zM6.75 7h2.5v2.5h-2.5zM11.5 7H14v2.5h-2.5z',
  info: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm0 1a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM7.4 7h1.2v4.6H7.4zM7.3 4.4h1.4v1.4H7.3z',
  warn: 'M8 1.6 15.2 14H.8zM8 3.6 2.5 13h11zM7.4 6.6h1.2v3.6H7.4zM7.3 11h1.4v1.3H7.3z',
  unplugged: 'M5.2 1.5h1v3h3.6v-3h1v3H12v3.2a4 4 0 0 1-3.5 4V14.5h-1v-2.8a4 4 0 0 1-3.5-4V4.5h1.2zM5 5.5v2.2a3 3 0 0 0 6 0V5.5zM1.2 2.1l.7-.7 12.9 12.9-.7.7z',
  pin: 'M5 1.5h6V3l-1 .8v3.4l2.2 2V10.7H8.7V15H7.3v-4.3H3.8V9.2l2.2-2V3.8L5 3z',
  limit: 'M2 3h12v1.5H2zM3 13V8h2v5zM7 13V5.5h2V13zM11 13v-3h2v3z',
  mark: 'M4 2h1.5v.8h7L10.8 6l1.7 3.2h-7V14H4zm1.5 2.3v3.4h4.5L9.1 6 10 4.3z',
  open: 'M2 3h4.5l1.2 1.5H14V6h-1.5H3.5v5.2L5 7.2h10L13 13H2z',
  swap: 'M10.5 2 14 5.2 10.5 8.4V6H3V4.5h7.5zM5.5 7.6V10H13v1.5H5.5v2.5L2 10.8z',
  copy: 'M5 2h8v9h-1.5V3.5H5zM3 5h7v9H3zm1.5 1.5v6h4v-6z',
  code: 'M5.4 3.6 6.5 4.7 3.1 8l3.4 3.3-1.1 1.1L1 8zM10.6 3.6 15 8l-4.4 4.4-1.1-1.1L12.9 8 9.5 4.7z',
  editor: 'M2.5 3.5H7V5H4v7h7V9h1.5v4.5h-10zM8.5 2.5h5v5H12V5.1L7.6 9.5 6.5 8.4 10.9 4H8.5z',
};

/** A decorative icon in the colour of the text. */
export function icon(name) {
  const svgNamespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', shapes[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

/** A button with an icon; `label` is its accessible name, shown as text unless `iconOnly`. */
export function button(iconName, label, run, { iconOnly = false, tip = '', keys = '' } = {}) {
  return el(
    'button',
    {
      type: 'button',
      class: iconOnly ? 'button icon-only' : 'button',
      'aria-label': label,
      'aria-keyshortcuts': keys,
      title: tip || (keys ? `${label} (${keys})` : label),
      onclick: run,
    },
    icon(iconName),
    iconOnly ? null : el('span', {}, label),
  );
}
