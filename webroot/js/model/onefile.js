// onefile.js - fills data into the report page, which the program has as one text with placeholders (daemon/bundle).

/** True when the text is a page that needs no other file. One that is served as it lies in webroot/ names its scripts and style sheets. */
export const isWhole = (text) => !/<(?:script|link)\b[^>]*(?:src|href)="(?!data:)/.test(text);

/** JSON for a <script> element, with '<' escaped: it occurs in strings only, and would otherwise allow "</script>". */
export const scriptJson = (value) =>
  JSON.stringify(value, (_, cell) => (ArrayBuffer.isView(cell) ? Array.from(cell) : cell)).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/**
 * The page with its placeholders { FIGURES, SNAPSHOT, ... } replaced by values. Values are not searched for
 * placeholders.
 */
export const fillPage = (text, values) => text.split(/%([A-Z]+)%/).map((part, i) => (i % 2 === 0 ? part : scriptJson(values[part] ?? null))).join('');
