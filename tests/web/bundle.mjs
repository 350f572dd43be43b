// bundle.mjs - the page in few files, for tests that load it hundreds of times: to ask for a hundred modules takes longer than to run them.
//
//   node bundle.mjs FOLDER      writes it there, for miniprofd --webroot FOLDER
//
// What the modules say is left as it is. Each becomes a function that answers what it exports, those it imports before it, so they may not
// import each other in a circle, nor change what they export; both are said when they do.

import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parse } from 'acorn';

const webroot = fileURLToPath(new URL('../../webroot', import.meta.url));
const threads = ['reader', 'frames', 'snapshot'].map((name) => `js/worker/${name}.js`);

class Bundle {
  constructor() {
    this.names = new Map(); // path -> what its function answers
    this.begun = new Set();
    this.parts = [];
  }

  /** Takes in a module after all that it imports; answers the name of what it exports. */
  async module(path) {
    if (this.names.has(path)) return this.names.get(path);
    if (this.begun.has(path)) throw new Error(`${path} imports itself by way of others. Break the circle.`);
    this.begun.add(path);
    const text = await readFile(path, 'utf8');
    const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
    const found = { path, cuts: [], exported: [] };
    for (const node of body) await this.#statement(node, found);
    const name = `$${this.names.size}`;
    this.names.set(path, name);
    const said = this.#placed(cut(text, found.cuts), path);
    const exported = found.exported.map(([outer, inner]) => (outer === inner ? inner : `${outer}: ${inner}`));
    this.parts.push(`const ${name} = (() => { // ${relative(webroot, path)}\n${said}\nreturn { ${exported.join(', ')} };\n})();\n`);
    return name;
  }

  async #statement(node, { path, cuts, exported }) {
    const replace = (words, from = node.start, to = node.end) => cuts.push({ from, to, words });
    if (node.type === 'ImportDeclaration') {
      replace(imported(node, await this.module(join(dirname(path), node.source.value))));
    } else if (node.type === 'ExportNamedDeclaration' && node.source === null) {
      if (node.declaration === null) {
        for (const { local, exported: outer } of node.specifiers) exported.push([outer.name, local.name]);
        return replace('');
      }
      for (const name of declared(node.declaration, path)) exported.push([name, name]);
      replace('', node.start, node.declaration.start);
    } else if (/^Export/.test(node.type)) {
      throw new Error(`${path}: bundle.mjs does not know ${node.type}. Teach it, or export by name.`);
    }
    return undefined;
  }

  /** A module goes on knowing where it lies. */
  #placed(text, path) {
    const place = JSON.stringify(relative(webroot, path));
    return text.replaceAll('import.meta.url', `new URL(${place}, $root).href`);
  }
}

function imported({ specifiers }, from) {
  const names = [];
  const lines = [];
  for (const { type, local, imported: outer } of specifiers) {
    if (type === 'ImportNamespaceSpecifier') lines.push(`const ${local.name} = ${from};`);
    else names.push(type === 'ImportDefaultSpecifier' ? `default: ${local.name}` : `${outer.name}: ${local.name}`);
  }
  if (names.length > 0) lines.push(`const { ${names.join(', ')} } = ${from};`);
  return lines.join(' ');
}

function declared(declaration, path) {
  if (declaration.type !== 'VariableDeclaration') return [declaration.id.name];
  if (declaration.kind !== 'const') throw new Error(`${path} exports what may change. Export a constant, or a function that answers it.`);
  return declaration.declarations.map(({ id }) => id.name);
}

function cut(text, cuts) {
  let [done, at] = ['', 0];
  for (const { from, to, words } of cuts) {
    done += text.slice(at, from) + words;
    at = to;
  }
  return done + text.slice(at);
}

/** The modules `paths` and all that they import as one; `up` leads from where it is found to the page's folder. */
async function bundleOf(paths, up) {
  const bundle = new Bundle();
  for (const path of paths) await bundle.module(join(webroot, path));
  return `const $root = new URL(${JSON.stringify(up)}, import.meta.url);\n${bundle.parts.join('')}`;
}

/**
 * The files of the page that are others than those in webroot/, as a map from path to text: index.html, which names one script and one style
 * sheet, these two, and the threads.
 */
export async function bundled() {
  const scripts = [];
  const styles = [];
  const once = (list, words) => (_, path) => (list.push(path) === 1 ? words : '');
  const page = (await readFile(join(webroot, 'index.html'), 'utf8'))
    .replace(/<link rel="stylesheet" href="([^"]+)">\s*/g, once(styles, '<link rel="stylesheet" href="css/page.css">'))
    .replace(/<script type="module" src="([^"]+)"[^>]*><\/script>\s*/g, once(scripts, '<script type="module" src="js/page.js"></script>'));
  const sheets = await Promise.all(styles.map((path) => readFile(join(webroot, path), 'utf8')));
  const made = new Map([
    ['index.html', page],
    ['css/page.css', sheets.join('\n')],
    ['js/page.js', await bundleOf(scripts, '../')],
  ]);
  for (const path of threads) made.set(path, await bundleOf([path], '../../'));
  return made;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  await cp(webroot, folder, { recursive: true });
  for (const [path, text] of await bundled()) await writeFile(join(folder, path), text);
}
