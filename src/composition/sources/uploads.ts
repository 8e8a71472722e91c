import type { Container } from 'inversify';
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
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import type { Config } from '../config.js';
import * as tokens from '../modules/tokens.js';
import { describeFailure } from '../servers.js';

export interface Uploads {
  /** The listener for uploads over plain HTTP. It does not listen yet. */
  readonly server: UploadServer;
  /** Finds the upload of a request target, for the external API. */
  readonly find: ReturnType<typeof httpUploads>;
}

/** The listener and the external API share one receiver, so that an address has one limit. */
export function openUploads(
  config: Config,
  container: Container,
  log: Log,
  mapper: Mapper | undefined,
): Uploads {
  const receiveUpload = container.get(ReceiveUpload);
  const clock = container.get(tokens.Clock);
  const logger = log.logger.child({ api: 'uploads' });
  const receiver = new UploadReceiver({
    receive: (upload, arrival, admission) => receiveUpload.execute(upload, arrival, admission),
    clock,
    dialects: mapper === undefined ? [] : [mappedJson(mapper, clock)],
    addresses: new AddressLimit(clock, (address) => networkOf(address) ?? address),
    onFailure: (error) => logger.error({ err: describeFailure(error) }, 'upload failed'),
  });
  const { clientOf, isProxy } = clientAddresses(config.TRUSTED_PROXIES);
  const server = new UploadServer({
    receiver,
    networkOf: (address) => (isProxy(address) ? null : (networkOf(address) ?? address)),
    clientOf: (socket, headers) => clientOf({ socket, headers: Object.fromEntries(headers) }),
    log: uploadLog(logger, log.requestWriter('uploads'), container.get(RequestMetrics).of('uploads')),
  });
  return { server, find: httpUploads(receiver) };
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
      if (refused > 0) logger.warn({ count: refused }, 'too many connections: the newest were closed');
      if (tls > 0) logger.warn({ count: tls }, 'connections with TLS were closed: this port has plain HTTP');
    },
  };
}
