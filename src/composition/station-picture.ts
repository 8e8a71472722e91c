import type { Container } from 'inversify';
import type { UploadsControl } from '#adapters/http/external/external-context.js';
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
  let reader: Promise<(target: string) => Promise<unknown>> | undefined;
  return new StationCard({
    renderer: async () => (await import(packageFile('dist/site/render.js').href)) as Renderer,
    painter: () => container().get(CardPainter),
    read: async (target) => await (await (reader ??= visitorReader(config, container())))(target),
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

async function visitorReader(config: Config, container: Container) {
  const { visitorReaderOf } = await import('#adapters/http/core/pages/read-in-process.js');
  const { makeExternalEndpoints } = await import('./modules/endpoints.js');
  return visitorReaderOf(
    makeExternalEndpoints(container, config.READ_ACCESS, noUploads, undefined, undefined, config.FEELS_LIKE, {
      state: noUploads,
      change: noUploads,
    } satisfies UploadsControl),
  );
}

/** A picture shows nothing of the setting of uploads. */
function noUploads(): never {
  throw new Error('the reader of pictures has no uploads');
}
