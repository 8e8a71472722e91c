import { generate } from 'lean-qr';

/** Modules of empty margin on each side, which scanners need. */
const MARGIN = 4;

export interface QrPicture {
  /** Width and height in modules. */
  readonly size: number;
  /** Attribute `d` of the SVG path of the dark modules. */
  readonly path: string;
}

/** Draws a text as a QR code. */
export function qrPicture(text: string): QrPicture {
  const code = generate(text);
  let path = '';
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`;
  return { size: code.size + 2 * MARGIN, path };
}
