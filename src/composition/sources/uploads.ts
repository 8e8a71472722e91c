import type { Mapper } from '#adapters/formats/mapping/mapper.js';
import { networkOf } from '#adapters/http/core/request/network.js';
import { nextRequestId } from '#adapters/http/core/request/request-id.js';
import { clientAddresses } from '#adapters/http/server/client-address.js';
import { RequestMetrics } from '#adapters/http/core/request-metrics.js';
import type { Log } from '#adapters/log-pino/logger.js';
import { mappedJson } from '#adapters/uploads/dialects/mapped-json.js';
import { UploadReceiver } from '#adapters/uploads/receiver.js';
import { httpUploads } from '#adapters/uploads/server/http-uploads.js';
import type { UploadLog } from '#adapters/uploads/server/upload-log.js';
import { UploadServer } from '#adapters/uploads/server/upload-server.js';
import { AddressLimit } from '#application/uploads/arrivals/address-limit.js';
import type { Clock } from '#application/ports/clock.js';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import type { Config } from '../config.js';
import * as t from '../graph/tokens.js';
import { wireFactory, type Wiring } from '../graph/wiring.js';
import { listening } from '../listening.js';
import { describeFailure } from '../servers.js';

/**
 * The receiver of uploads. Uploads arrive at their own listener and at the external API, and both use this receiver. So the
 * requests of an address are counted together, towards one limit.
 */
export function uploadReceiver(config: Config, mapper: Mapper | undefined): readonly Wiring[] {
  return [
    wireFactory(
      t.Uploads,
      (receive, clock, metrics, log) => openUploads(config, mapper, { receive, clock, metrics, log }),
      [ReceiveUpload, t.Clock, RequestMetrics, t.Log],
    ),
  ];
}

interface UploadParts {
  readonly receive: ReceiveUpload;
  readonly clock: Clock;
  readonly metrics: RequestMetrics;
  readonly log: Log;
}

function openUploads(
  config: Config,
  mapper: Mapper | undefined,
  { receive, clock, metrics, log }: UploadParts,
): t.Uploads {
  const { UPLOADS_HOST: host, UPLOADS_PORT: port } = config;
  const logger = log.logger.child({ api: 'uploads' });
  const receiver = new UploadReceiver({
    receive: (upload, arrival, admission) => receive.execute(upload, arrival, admission),
    clock,
    dialects: mapper === undefined ? [] : [mappedJson(mapper, clock)],
    addresses: new AddressLimit(clock, (address) => networkOf(address) ?? address),
    onFailure: (error) => logger.error({ err: describeFailure(error) }, 'an upload has failed'),
  });
  const { clientOf, isProxy } = clientAddresses(config.TRUSTED_PROXIES);
  const server = new UploadServer({
    receiver,
    networkOf: (address) => (isProxy(address) ? null : (networkOf(address) ?? address)),
    clientOf: (socket, headers) => clientOf({ socket, headers: Object.fromEntries(headers) }),
    log: uploadLog(logger, log.requestWriter('uploads'), metrics.of('uploads')),
  });
  const listener = listening('uploads', host, port, {
    listen: () => server.listen(host, port),
    assertListening: () => server.assertListening(),
    close: (deadline) => server.close(deadline),
  });
  return { listener, find: httpUploads(receiver) };
}

function uploadLog(
  logger: Log['logger'],
  write: ReturnType<Log['requestWriter']>,
  count: ReturnType<RequestMetrics['of']>,
): UploadLog {
  return {
    request: ({ dialect, ...record }) => {
      count({ ...record, route: dialect });
      write({ ...record, id: nextRequestId(), route: dialect, aborted: record.status === null });
    },
    connections: ({ refused, tls }) => {
      if (refused > 0)
        logger.warn({ count: refused }, 'the newest connections were closed, because there were too many');
      if (tls > 0)
        logger.warn({ count: tls }, 'connections with TLS were closed, because this port has plain HTTP');
    },
  };
}
