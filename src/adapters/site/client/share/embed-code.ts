/** How another site shows the card of a station. */
export interface EmbedChoice {
  readonly size: EmbedSize;
  readonly theme: string;
  readonly language: string;
  readonly units: string;
}

/** Sizes of the frame in pixels. The first one shows everything on a phone; the last one is too low for the picture. */
export const EMBED_SIZES = { medium: [320, 340], large: [480, 400], small: [240, 220] } as const;
export type EmbedSize = keyof typeof EMBED_SIZES;

/** The path of the card of a station, with its language, units and colors. */
export function embedPath(station: string, { theme, language, units }: Omit<EmbedChoice, 'size'>): string {
  const query = new URLSearchParams({ lang: language, units, theme });
  return `/embed/${encodeURIComponent(station)}?${query}`;
}

/** The HTML that shows the card of a station on another site. @param title the name of the frame for screen readers */
export function embedCode(origin: string, station: string, title: string, choice: EmbedChoice): string {
  const [width, height] = EMBED_SIZES[choice.size];
  const address = escapeHtml(`${origin}${embedPath(station, choice)}`);
  return `<iframe src="${address}" title="${escapeHtml(title)}" width="${width}" height="${height}" loading="lazy" style="border:0"></iframe>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
