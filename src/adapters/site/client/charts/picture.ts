import { saveBlob } from '../parts/save-blob.js';

const PADDING = 16;
const TITLE = 32;
/** The properties of style sheets that the elements of a chart use. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'paint-order',
  'font-size',
  'font-weight',
  'font-family',
] as const;

/** Saves a PNG picture of the charts, one below the other. @param name name of the file */
export async function savePicture(
  heading: string,
  charts: readonly { readonly title: string; readonly picture: SVGSVGElement }[],
  name: string,
): Promise<void> {
  const ratio = devicePixelRatio;
  const { backgroundColor: paper, color: ink } = getComputedStyle(document.body);
  const images = await Promise.all(
    charts.map(async ({ title, picture }) => ({ title, image: await imageOf(picture), ...sizeOf(picture) })),
  );
  const canvas = document.createElement('canvas');
  canvas.width = ratio * (Math.max(...images.map(({ width }) => width)) + 2 * PADDING);
  canvas.height = ratio * images.reduce((sum, { height }) => sum + TITLE + height, 2 * PADDING + TITLE);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(ratio, ratio);
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = ink;
  context.textBaseline = 'middle';
  let top = PADDING;
  const write = (text: string, size: number) => {
    context.font = `600 ${size}px system-ui, sans-serif`;
    context.fillText(text, PADDING, top + TITLE / 2);
    top += TITLE;
  };
  write(heading, 18);
  for (const { title, image, width, height } of images) {
    write(title, 14);
    context.drawImage(image, PADDING, top, width, height);
    top += height;
  }
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (blob !== null) saveBlob(blob, name);
}

const sizeOf = (element: Element) => {
  const { width, height } = element.getBoundingClientRect();
  return { width, height };
};

/** An image of an SVG element. An image has no style sheet, so the used styles are written into attributes. */
async function imageOf(picture: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const { width, height } = sizeOf(picture);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const [elements, copies] = [picture.querySelectorAll('*'), copy.querySelectorAll('*')];
  for (const [index, element] of elements.entries()) {
    const style = getComputedStyle(element);
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (value !== '') copies[index]?.setAttribute(property, value);
    }
    if (style.display === 'none') copies[index]?.remove();
  }
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
