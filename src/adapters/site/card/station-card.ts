import { MILLISECONDS } from '#domain/time.js';
import type { Renderer } from '../renderer.js';
import type { CardPainter } from './card-painter.js';

/** Milliseconds. A message must not wait long for its picture, because an attempt to send it has 30 s. */
const TIMEOUT = 5 * MILLISECONDS.second;
/** Messages count as one visitor for the limits of the painter. */
const NETWORK = 'messages';

export interface StationCardOptions {
  /** Loads the code that draws; called with the first picture. */
  readonly renderer: () => Promise<Pick<Renderer, 'drawCard'>>;
  readonly painter: () => Pick<CardPainter, 'paint'>;
  /** Reads the JSON of a route of the external API as a visitor without a token. */
  readonly read: (target: string) => Promise<unknown>;
  /** Language of the picture: `de`. */
  readonly language: string;
  /** Called with the reason if a station that visitors see cannot be drawn. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds after which a message goes without its picture. */
  readonly timeout?: number;
}

/** The picture of a station that the site shows for links, for messages to people. */
export class StationCard {
  readonly #options: StationCardOptions;

  constructor(options: StationCardOptions) {
    this.#options = options;
  }

  /** See the port `StationPicture`. */
  async draw(station: string): Promise<Uint8Array | undefined> {
    const { onFailure, timeout = TIMEOUT } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('drawing takes too long')), timeout);
      });
      return await Promise.race([this.#paint(station), late]);
    } catch (error) {
      if (!isHidden(error)) onFailure(error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  async #paint(station: string): Promise<Uint8Array> {
    const { renderer, painter, read, language } = this.#options;
    const { drawCard } = await renderer();
    const svg = await drawCard({ station, search: `lang=${language}`, read });
    return (await painter().paint(svg, NETWORK)).png;
  }
}

function isHidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'STATION_UNKNOWN';
}
