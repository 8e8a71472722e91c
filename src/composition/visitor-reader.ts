import type { Container } from 'inversify';
import { visitorReaderOf } from '#adapters/http/core/pages/read-in-process.js';
import type { UploadsControl } from '#adapters/http/external/external-context.js';
import type { Config } from './config.js';
import { makeExternalEndpoints } from './modules/endpoints.js';

/** Returns a function that reads the JSON of a target of the external API as a visitor without a token, without a request over HTTP. */
export function visitorReader(config: Config, container: Container): (target: string) => Promise<unknown> {
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
