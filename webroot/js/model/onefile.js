// onefile.js - the page of a report, which the program has as one text with places in it (daemon/bundle), with data in these places.

/** True when the text is a page that needs no other file. One that is served as it lies in webroot/ names its scripts and style sheets. */
export const isWhole = (text) => !/<(?:script|link)\b[^>]*(?:src|href)="(?!data:)/.test(text);

/** JSON that cannot end the <script> element it stands in: '<' occurs in strings only, where it may as well be written as an escape. */
export const scriptJson = (value) =>
  JSON.stringify(value, (_, cell) => (ArrayBuffer.isView(cell) ? Array.from(cell) : cell)).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** The page with data in its places: { FIGURES, SNAPSHOT, ... } as values. What they say is not searched for places. */
export const fillPage = (text, values) => text.split(/%([A-Z]+)%/).map((part, i) => (i % 2 === 0 ? part : scriptJson(values[part] ?? null))).join('');
