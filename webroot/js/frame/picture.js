// picture.js - makes a picture of a view: its canvases, text and tables in the page's style.

/** The page's style sheets as text. */
const sheets = () =>
  [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join('\n');

/** A copy of the element, with canvases replaced by pictures and field contents by text. */
function copyOf(root) {
  const copy = root.cloneNode(true);
  for (const tip of copy.querySelectorAll('.tip')) tip.remove(); // the picture has no pointer
  const of = (name) => [root.querySelectorAll(name), copy.querySelectorAll(name)];
  const [canvases, places] = of('canvas');
  canvases.forEach((canvas, i) => {
    const img = document.createElement('img');
    if (canvas.width > 0 && canvas.height > 0) img.src = canvas.toDataURL();
    img.className = canvas.className;
    Object.assign(img.style, { display: 'block', width: `${canvas.clientWidth}px`, height: `${canvas.clientHeight}px` });
    places[i].replaceWith(img);
  });
  const [selects, chosen] = of('select');
  selects.forEach((select, i) => chosen[i].options[select.selectedIndex]?.setAttribute('selected', ''));
  return copy;
}

/** Promises the element as a PNG, in its size on the screen. */
export async function pictureOf(root) {
  const { clientWidth: width, clientHeight: height } = root;
  const ratio = devicePixelRatio || 1;
  const page = document.createElement('html');
  const { theme } = document.documentElement.dataset; // the outermost element of the picture is its style's root
  const style = document.createElement('style');
  style.textContent = sheets();
  const body = document.createElement('body');
  const { backgroundColor: background } = getComputedStyle(document.body);
  const { fontFamily, fontSize, lineHeight } = getComputedStyle(root);
  Object.assign(body.style, { background, fontFamily, fontSize, lineHeight, display: 'flex', flexDirection: 'column', width: `${width}px`, height: `${height}px`, margin: '0' });
  body.append(copyOf(root));
  page.append(style, body);
  const markup = new XMLSerializer().serializeToString(page);
  const svg = `<svg data-theme="${theme}" xmlns="http://www.w3.org/2000/svg" width="${width * ratio}" height="${height * ratio}" viewBox="0 0 ${width} ${height}"><foreignObject width="${width}" height="${height}">${markup}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('it is too large')) : resolve(blob)), 'image/png');
  });
}
