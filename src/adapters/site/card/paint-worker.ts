import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { move } from 'piscina';
import { lowerThreadPriority } from '#adapters/formats/thread-priority.js';

export interface PaintTask {
  readonly svg: string;
  /** URL of the folder with the WebAssembly module and the fonts. */
  readonly folder: string;
}

const FONTS = ['regular.ttf.br', 'semibold.ttf.br'];

lowerThreadPriority();

let loaded: Promise<Uint8Array[]> | undefined;

/** Draws SVG as PNG, in a worker thread. */
export default async function paint({ svg, folder }: PaintTask): Promise<Uint8Array> {
  const fontBuffers = await (loaded ??= load(folder));
  const picture = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'Open Sans' } });
  try {
    const image = picture.render();
    try {
      return move(image.asPng()) as unknown as Uint8Array;
    } finally {
      image.free();
    }
  } finally {
    picture.free();
  }
}

/** Loads the WebAssembly module. @returns the fonts */
async function load(folder: string): Promise<Uint8Array[]> {
  const read = (name: string) => brotliDecompressSync(readFileSync(new URL(name, folder)));
  await initWasm(read('resvg.wasm.br'));
  return FONTS.map(read);
}
