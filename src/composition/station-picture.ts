import type { Container } from 'inversify';
import { CardPainter } from '#adapters/site/card/card-painter.js';
import { StationCard } from '#adapters/site/card/station-card.js';
import type { Renderer } from '#adapters/site/renderer.js';
import type { StationPicture } from '#application/ports/station-picture.js';
import type { Config } from './config.js';
import * as tokens from './graph/tokens.js';
import { packageFile } from './package-info.js';
import { reasonOf } from './reason.js';

/**
 * Draws the pictures of messages as the site draws them for links. Nothing is loaded before the first picture.
 *
 * @param container called when a picture is drawn
 * @returns no pictures if the site is switched off, or if visitors without a token see no station
 */
export function stationPicture(config: Config, container: () => Container): StationPicture {
  if (!config.SITE || config.READ_ACCESS !== 'public') return { draw: () => Promise.resolve(undefined) };
  let reader: ReturnType<typeof loadReader> | undefined;
  const loadReader = async () => (await import('./visitor-reader.js')).visitorReader(config, container());
  return new StationCard({
    renderer: async () => (await import(packageFile('dist/site/render.js').href)) as Renderer,
    painter: () => container().get(CardPainter),
    read: async (target) => await (await (reader ??= loadReader()))(target),
    language: config.LANGUAGE,
    onFailure: (error) => {
      // Commands have no log.
      if (container().isBound(tokens.Log))
        container()
          .get(tokens.Log)
          .logger.warn(
            { reason: reasonOf(error) },
            'a message for people goes without the picture of its station',
          );
    },
  });
}
