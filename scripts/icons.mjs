// Draws the icons of the site from `style/icon.svg`: pictures for home screens, and `favicon.ico`.
import { readFileSync } from 'node:fs';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Sizes in pixels by the names of the files. */
const SIZES = { 'apple-touch-icon.png': 180, 'icon-192.png': 192, 'icon-512.png': 512 };
const FAVICON_SIZE = 32;
/** Share of the picture that stays empty on each side, because home screens cut icons to circles and rounded squares. */
const MARGIN = 0.1;

/** @param svg the text of the icon, with a view box of 32 × 32 @returns the files by name */
export async function icons(svg) {
  await initWasm(readFileSync('node_modules/@resvg/resvg-wasm/index_bg.wasm'));
  const padded = onPaper(svg);
  const files = Object.entries(SIZES).map(([name, size]) => [name, png(padded, size)]);
  return { ...Object.fromEntries(files), 'favicon.ico': ico(png(svg, FAVICON_SIZE), FAVICON_SIZE) };
}

/** The icon with a margin on an opaque ground: home screens draw transparent parts black. */
function onPaper(svg) {
  const size = 32 * (1 + 2 * MARGIN);
  const box = `${-32 * MARGIN} ${-32 * MARGIN} ${size} ${size}`;
  const ground = `<rect x="-16" y="-16" width="64" height="64" fill="#f7f5f1"/>`;
  return svg.replace('viewBox="0 0 32 32">', `viewBox="${box}">${ground}`);
}

function png(svg, size) {
  const picture = new Resvg(svg, { fitTo: { mode: 'width', value: size } });
  return Buffer.from(picture.render().asPng());
}

/** An icon file (.ico) that contains one PNG picture. */
function ico(picture, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, picture]);
}
