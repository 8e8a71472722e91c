import type { Container } from 'inversify';
import type { Mapper } from '#adapters/formats/mapping/mapper.js';
import type { Log } from '#adapters/log-pino/logger.js';
import type { Config } from '../config.js';
import { listening } from '../listening.js';

/** The listener for uploads; undefined if uploads are switched off. */
export async function makeUploads(
  config: Config,
  container: Container,
  log: Log,
  mapper: Mapper | undefined,
) {
  if (!config.UPLOADS_ENABLED) return undefined;
  const { UPLOADS_HOST: host, UPLOADS_PORT: port } = config;
  const { openUploads } = await import('./uploads.js');
  const { server, find } = openUploads(config, container, log, mapper);
  return {
    find,
    listener: listening('uploads', host, port, {
      listen: () => server.listen(host, port),
      assertListening: () => server.assertListening(),
      close: (deadline) => server.close(deadline),
    }),
  };
}
