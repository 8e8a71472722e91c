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
import * as t from '../graph/tokens.js';
import { listening } from '../listening.js';
import type { OpenedUploads } from './uploads-switch.js';
import { describeFailure } from '../servers.js';

/**
 * Opens the receiver of uploads. Uploads arrive at their own listener and at the external API, and both use this receiver. So the
 * requests of an address are counted together, towards one limit.
 */
export function openUploads(
  config: Config,
  mapper: Mapper | undefined,
  container: Container,
  log: Log,
): OpenedUploads {
  const receive = container.get(ReceiveUpload);
  const clock = container.get(t.Clock);
  const count = container.get(RequestMetrics).of('uploads');
  const logger = log.logger.child({ api: 'uploads' });
  const receiver = new UploadReceiver({
    receive: (upload, arrival, admission) => receive.execute(upload, arrival, admission),
    clock,
    dialects: mapper === undefined ? [] : [mappedJson(mapper, clock)],
    addresses: new AddressLimit(clock, (address) => networkOf(address) ?? address),
    onFailure: (error) => logger.error({ err: describeFailure(error) }, 'an upload has failed'),
  });
  const { clientOf, isProxy } = clientAddresses(config.TRUSTED_PROXIES);
  const requestLog = uploadLog(logger, log.requestWriter('uploads'), count);
  const makeListener = (host: string, port: number) => {
    const server = new UploadServer({
      receiver,
      networkOf: (address) => (isProxy(address) ? null : (networkOf(address) ?? address)),
      clientOf: (socket, headers) => clientOf({ socket, headers: Object.fromEntries(headers) }),
      log: requestLog,
    });
    return listening('uploads', host, port, {
      listen: () => server.listen(host, port),
      assertListening: () => server.assertListening(),
      close: (deadline) => server.close(deadline),
    });
  };
  return { makeListener, find: httpUploads(receiver) };
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
