import { saveBlob } from '../../parts/save-blob.js';

/** A chart in the saved picture, with the title above it. */

export interface PictureChart {
  readonly title: string;
  readonly canvas: HTMLCanvasElement;
}

const PADDING = 16;
const TITLE = 32;

/** Saves a PNG picture of the charts, one below the other. @param colors colors of the page @param name name of the file */
export function savePicture(
  heading: string,
  charts: readonly PictureChart[],
  colors: { readonly paper: string; readonly ink: string },
  name: string,
): void {
  const ratio = devicePixelRatio;
  const [padding, title] = [PADDING * ratio, TITLE * ratio];
  const picture = document.createElement('canvas');
  picture.width = Math.max(...charts.map(({ canvas }) => canvas.width)) + 2 * padding;
  picture.height = charts.reduce((sum, { canvas }) => sum + title + canvas.height, 2 * padding + title);
  const context = picture.getContext('2d');
  if (context === null) return;
  context.fillStyle = colors.paper;
  context.fillRect(0, 0, picture.width, picture.height);
  context.fillStyle = colors.ink;
  context.textBaseline = 'middle';
  let top = padding;
  const write = (text: string, size: number) => {
    context.font = `600 ${size * ratio}px system-ui, sans-serif`;
    context.fillText(text, padding, top + title / 2, picture.width - 2 * padding);
    top += title;
  };
  write(heading, 18);
  for (const chart of charts) {
    write(chart.title, 14);
    context.drawImage(chart.canvas, padding, top);
    top += chart.canvas.height;
  }
  picture.toBlob((blob) => {
    if (blob !== null) saveBlob(blob, name);
  }, 'image/png');
}
