import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import sinon from 'sinon';
import { TextThreads } from '#adapters/http/external/observations/text-threads.js';
import { WriteTally } from '#application/observations/ingest/write-tally.js';
import * as tokens from '#composition/graph/tokens.js';
import { loadTransport, TRANSPORTS } from '#composition/modules/transports.js';
import { PACKAGE_INFO } from '#composition/package-info.js';
import { reasonOf } from '#composition/reason.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { Place, storeNames } from '../support/place.js';
import { statusOf } from '../support/process.js';
import { domainErrorOf, rejectionOf } from '../support/rejection.js';

const NODE_TRANSPORT = fileURLToPath(new URL('../support/node-transport.js', import.meta.url));

/** Ports of parts that run only if a setting switches them on. */
const ON_DEMAND: ReadonlySet<string> = new Set(['PublisherLease', 'StatePublisher']);

describe('composition', () => {
  let place: Place;
  beforeEach(async () => (place = await Place.make('sqlite')));
  afterEach(() => place.remove());

  const start = (settings: Record<string, string>): Promise<Service> => place.serve(settings);

  const names = [...Object.keys(TRANSPORTS), NODE_TRANSPORT];
  for (const external of names) {
    for (const internal of names) {
      for (const store of storeNames) {
        const title = [external, internal, store].map((name) => name.split('/').at(-1)).join(', ');
        it(`starts, answers and ends with ${title}`, async () => {
          const elsewhere = await Place.make(store);
          const service = await elsewhere.serve({
            WEATHERD_EXTERNAL_TRANSPORT: external,
            WEATHERD_INTERNAL_TRANSPORT: internal,
            WEATHERD_UPLOADS_ENABLED: 'true',
            WEATHERD_UPLOADS_PORT: '0',
          });
          for (const [name, token] of Object.entries(tokens)) {
            if (ON_DEMAND.has(name)) continue;
            expect(service.application.container.getAll<unknown>(token), name).not.to.have.lengthOf(0);
          }
          for (const url of [service.externalUrl, service.internalUrl]) {
            expect(await statusOf(`${url}/v1/health/liveliness`)).to.equal(200);
          }
          expect(await service.stop()).to.equal(true);
          expect(await rejectionOf(fetch(service.externalUrl))).to.be.instanceOf(TypeError);
          await elsewhere.remove();
        });
      }
    }
  }

  it('wires the two APIs each to its own name', async () => {
    const service = await start({});
    const nameAt = async (url: string) => ((await (await fetch(url)).json()) as { name: string }).name;
    expect(await nameAt(service.externalUrl)).to.equal('weatherd external API');
    expect(await nameAt(service.internalUrl)).to.equal('weatherd internal API');
    await service.stop();
  });

  it('requires the internal secret only on the internal API', async () => {
    const secret = 'an-internal-secret-of-32-bytes-!';
    const service = await start({ WEATHERD_INTERNAL_SECRET: secret });
    expect(await statusOf(service.internalUrl)).to.equal(401);
    expect(await statusOf(service.externalUrl)).to.equal(200);
    const response = await fetch(service.internalUrl, { headers: { authorization: `Bearer ${secret}` } });
    expect(response.status).to.equal(200);
    await service.stop();
  });

  it('leaves nothing open when it cannot start', async () => {
    const first = await start({});
    const port = new URL(first.externalUrl).port;
    const error = await rejectionOf(start({ WEATHERD_INTERNAL_PORT: port }));
    expect((error as Error).message)
      .to.contain('the port is in use')
      .and.contain('WEATHERD_INTERNAL_PORT');
    await first.stop();
    const again = await start({ WEATHERD_INTERNAL_PORT: port });
    await again.stop();
  });

  it('reports why it cannot start, also if it cannot be undone, and releases the data', async () => {
    const first = await start({});
    const port = new URL(first.externalUrl).port;
    const close = sinon.stub(TextThreads.prototype, 'close').rejects(new Error('it cannot be stopped'));
    try {
      const error = await rejectionOf(start({ WEATHERD_INTERNAL_PORT: port }));
      expect((error as Error).message).to.contain('the port is in use');
      expect(close.callCount).to.equal(1);
    } finally {
      close.restore();
    }
    await first.stop();
  });

  it('reports what is wrong with a transport that it cannot load', async () => {
    for (const [name, reason] of [
      ['./missing.js', 'cannot be loaded'],
      ['no-such-package-anywhere', 'cannot be loaded'],
      ['node:fs', 'does not export a transport'],
    ] as const) {
      expect(await rejectionOf(loadTransport(name)))
        .to.have.property('message')
        .that.contains(reason);
    }
  });

  it('reports what is wrong with TLS files', async () => {
    const settings = {
      WEATHERD_EXTERNAL_TLS_CERT: join(place.folder, 'none'),
      WEATHERD_EXTERNAL_TLS_KEY: join(place.folder, 'none'),
    };
    const error = await rejectionOf(start(settings));
    expect((error as Error).message)
      .to.contain('WEATHERD_EXTERNAL_TLS_CERT')
      .and.contain('none does not exist');
  });

  it('takes version and repository from package.json', async () => {
    const info = PACKAGE_INFO;
    const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
    const { version, repository } = JSON.parse(text) as { version: string; repository: { url: string } };
    expect(info.version).to.equal(version);
    expect(`git+${info.repository}.git`).to.equal(repository.url);
  });

  it('prints a reason with its cause once', () => {
    expect(reasonOf(new Error('outer', { cause: new Error('inner') }))).to.equal('outer inner');
    expect(reasonOf(new Error('outer: inner', { cause: new Error('inner') }))).to.equal('outer: inner');
    expect(reasonOf('text')).to.equal('text');
  });
});

describe('closing the application', () => {
  it('releases the store even if the counts of writes cannot be written, and rejects', async () => {
    const place = await Place.make('sqlite');
    const service = await place.serve({});
    const { container } = service.application;
    const failure = new Error('the disk is full');
    sinon.stub(container.get(tokens.AuditStore), 'tally').rejects(failure);
    const credentials = container.get(tokens.CredentialStore);
    container.get(WriteTally).note(COMMAND_LINE, Uint32Array.of(1), Float64Array.of(0), new Set<number>());
    expect(await rejectionOf(service.stop())).to.equal(failure);
    await domainErrorOf(credentials.list(), 'STORE_UNAVAILABLE');
    await place.remove();
  });
});

describe('docs/transports.md', () => {
  it('shows the transport that is tested', async () => {
    const root = new URL('../../../', import.meta.url);
    const document = await readFile(new URL('docs/transports.md', root), 'utf8');
    const source = await readFile(new URL('test/support/node-transport.ts', root), 'utf8');
    expect(document).to.contain(`\`\`\`ts\n${source}\`\`\``);
  });
});
