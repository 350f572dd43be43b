// onefile.js - puts a page and all that it names into one text: what daemon/export/bundle.py does when miniprofd is built, for a
// page that has to do it itself.
//
// Style sheets and classic scripts become elements with their text, pictures and modules data: addresses. Modules go on importing each
// other, by names that an import map leads to those addresses.

const imports = /(\b(?:import|export)\b[^;'"]*?\bfrom\s*|\bimport\s*)(['"])(\.{1,2}\/[^'"]+)\2/g;

/** The path that `name` means where it stands in the file `from`, both below the page's folder. */
export function resolve(from, name) {
  const parts = from.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function base64(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.toBase64) return bytes.toBase64(); // browsers of 2025
  let letters = '';
  for (let i = 0; i < bytes.length; i += 8192) letters += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(letters);
}

/** The modules that `path` needs, as a map from path to text in which imports are by path; read(path) promises a file's text. */
export async function modulesOf(path, read) {
  const found = new Map();
  let wanted = [path];
  while (wanted.length > 0) {
    for (const one of wanted) found.set(one, '');
    const texts = await Promise.all(wanted.map(read));
    const next = new Set();
    wanted.forEach((from, i) => {
      const text = texts[i].replace(imports, (_, before, quote, name) => {
        next.add(resolve(from, name));
        return `${before}${quote}${resolve(from, name)}${quote}`;
      });
      found.set(from, text);
    });
    wanted = [...next].filter((one) => !found.has(one));
  }
  return found;
}

/** Replaces what `form` finds by what `made(match)` promises. */
async function replaceAll(text, form, made) {
  const parts = await Promise.all([...text.matchAll(form)].map(made));
  let i = 0;
  return text.replace(form, () => parts[i++]);
}

/** The page at `path` as one text, its %PLACES% left in it; read(path) promises a file's text. */
export async function onePage(path, read) {
  const near = (name) => resolve(path, name);
  let text = await read(path);
  text = await replaceAll(text, /<link rel="stylesheet" href="([^"]+)">/g, async ([, name]) => `<style>\n${await read(near(name))}</style>`);
  text = await replaceAll(text, /<script type="module" src="([^"]+)"><\/script>/g, async ([, name]) => {
    const modules = await modulesOf(near(name), read);
    const map = [...modules].map(([key, words]) => `"${key}": "data:text/javascript;base64,${base64(words)}"`);
    return `<script type="importmap">{"imports": {\n${map.join(',\n')}\n}}</script>\n  <script type="module">import "${near(name)}";</script>`;
  });
  text = await replaceAll(text, /<script src="([^"]+)"><\/script>/g, async ([, name]) => `<script>\n${await read(near(name))}</script>`);
  return replaceAll(text, /((?:href|src)=")([^":]+\.svg)"/g, async ([, before, name]) => {
    const picture = encodeURIComponent((await read(near(name))).trim()).replaceAll("'", '%27');
    return `${before}data:image/svg+xml,${picture}"`;
  });
}

/** JSON that cannot end the <script> element it stands in: '<' occurs in strings only, where it may as well be written as an escape. */
export const scriptJson = (value) =>
  JSON.stringify(value, (_, cell) => (ArrayBuffer.isView(cell) ? Array.from(cell) : cell)).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** The page with data in its places: { FIGURES, SNAPSHOT, ... } as values. What they say is not searched for places. */
export const fillPage = (text, values) => text.split(/%([A-Z]+)%/).map((part, i) => (i % 2 === 0 ? part : scriptJson(values[part] ?? null))).join('');
