import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { readSource } from '../support/architecture.js';
import { eventually, signIn, statusOf, Workplace } from '../support/process.js';
import { TestBroker } from '../support/test-broker.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const BUNDLE = join(PROJECT, 'dist/service');
const SITE = join(PROJECT, 'dist/site');
const PASSWORD = 'correct horse battery staple';
/** Largest number of files that a start may load. Each file takes half a millisecond of processor time. */
const MAX_FILES = 150;

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

function isBundled(file: string): boolean {
  return file.startsWith(BUNDLE) || file.startsWith(SITE);
}

/** The paths from the project of the modules that a file of the bundle was made from. */
function sourcesOf(file: string): string[] {
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { readonly sources: string[] };
  return sources.map((source) => relative(PROJECT, fileURLToPath(new URL(source, pathToFileURL(file)))));
}

describe('weatherd, as it is built', () => {
  let place: Workplace;
  beforeEach(async () => (place = await Workplace.make()));
  afterEach(() => place.remove());

  /** The files that the process and its threads loaded. Node.js notes them when it measures coverage, at the end. */
  const serveNoting = async (settings: Readonly<Record<string, string>> = {}) => {
    const folder = join(place.folder, 'coverage');
    const served = await place.serve({ NODE_V8_COVERAGE: folder, ...settings });
    const end = async (): Promise<string[]> => {
      served.child.kill('SIGTERM');
      expect(await served.ended).to.have.property('status', 0);
      const urls = readdirSync(folder).flatMap((name) =>
        (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage).result.map(({ url }) => url),
      );
      return urls
        .filter((url) => url.startsWith(pathToFileURL(PROJECT).href))
        .map((url) => fileURLToPath(url));
    };
    return { served, end };
  };
  const loadedSources = (files: readonly string[]) =>
    files.filter((file) => existsSync(`${file}.map`) && isBundled(file)).flatMap(sourcesOf);

  it('serves both APIs and signs in with the threads of the bundle, and loads nothing that is not bundled', async () => {
    await place.makeData();
    await place.run(['user', 'add', 'ada'], PASSWORD);
    const { served, end } = await serveNoting();
    expect(await statusOf(`${served.external}/v1/stations`)).to.equal(200);
    expect(await statusOf(`${served.internal}/v1/stations`)).to.equal(200);
    const credentials = { username: 'ada', email: null, password: PASSWORD };
    expect(await signIn(served.external, credentials)).to.have.property('status', 200);
    const files = await end();
    for (const thread of ['main.js', 'worker.js', 'reader-worker.js', 'hashing-worker.js'])
      expect(files).to.include(join(BUNDLE, thread));
    expect(files.filter((file) => file.startsWith(join(PROJECT, 'dist/src')))).to.deep.equal([]);
  });

  it('starts no thread that reads or hashes before somebody asks', async () => {
    const { served, end } = await serveNoting();
    expect(await statusOf(served.external)).to.equal(200);
    // Housekeeping has run, and some checks: one finds that the data file has gone, and a later one that it is back.
    const liveliness = () => statusOf(`${served.internal}/v1/health/liveliness`);
    const file = join(place.dataDir, 'weatherd.db');
    renameSync(file, `${file}.moved`);
    await eventually(liveliness, (status) => status === 503);
    renameSync(`${file}.moved`, file);
    await eventually(liveliness, (status) => status === 200);
    const files = await end();
    expect(files).to.include(join(BUNDLE, 'worker.js'));
    for (const thread of ['reader-worker.js', 'hashing-worker.js'])
      expect(files).not.to.include(join(BUNDLE, thread));
  });

  for (const [settings, used, unused] of [
    [
      { WEATHERD_EXTERNAL_TRANSPORT: 'fastify' },
      ['adapters/http/fastify/', 'adapters/store-sqlite/', 'node_modules/fastify/'],
      ['adapters/http/express/', 'adapters/store-postgres/postgres-stores', 'node_modules/express/'],
    ],
    [
      { WEATHERD_INTERNAL_TRANSPORT: 'express' },
      ['adapters/http/express/', 'adapters/store-sqlite/', 'node_modules/express/'],
      ['adapters/http/fastify/', 'node_modules/fastify/', 'node_modules/ajv/'],
    ],
  ] as const) {
    it(`loads what is configured alone: ${Object.values(settings).join(', ')}`, async () => {
      const { served, end } = await serveNoting(settings);
      expect(await statusOf(served.external)).to.equal(200);
      const files = await end();
      // If this fails after a new `import()`, name its module in scripts/start-files.mjs.
      expect(new Set(files.filter(isBundled)))
        .to.have.property('size')
        .below(MAX_FILES);
      const sources = loadedSources(files);
      const has = (path: string) => sources.some((source) => source.includes(path));
      for (const path of used) expect(has(path), path).to.equal(true);
      const never = [
        'pg',
        'pino-pretty',
        'cli-progress',
        'metar-taf-parser',
        'hyparquet-writer',
        'hyparquet',
        'flatbuffers',
        'iconv-lite',
        'side-channel',
        'mqtt',
        'leaflet',
      ].map((name) => `node_modules/${name}/`);
      for (const path of [...unused, ...never, 'client/text/de/', 'client/admin/panels/'])
        expect(has(path), path).to.equal(false);
    });
  }

  it('connects to a broker with what is bundled', async () => {
    const broker = await TestBroker.start();
    const mapping = join(place.folder, 'mapping.json');
    writeFileSync(mapping, '{"sources": [{"preset": "tasmota", "station": "garden"}]}');
    const { end } = await serveNoting({
      WEATHERD_MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
      WEATHERD_MQTT_MAPPING: mapping,
    });
    await eventually(
      async () => broker.clients,
      (clients) => clients === 1,
    );
    const sources = loadedSources(await end());
    expect(sources.some((source) => source.includes('node_modules/mqtt/'))).to.equal(true);
    await eventually(
      async () => broker.clients,
      (clients) => clients === 0,
    );
    await broker.stop();
  });

  it('names lines of the sources in the stack of a failure in the log, and of one that ends it', async () => {
    const transport = join(place.folder, 'faulty.mjs');
    writeFileSync(
      transport,
      `export default { name: 'faulty', mount: (api) => ({ dispatch(message, response) {
        if (message.url === '/crash') return void setImmediate(() => api.routes[0].handle());
        const { status, body } = api.fail(new Error('planted'), message);
        response.writeHead(status).end(body);
      } }) };`,
    );
    const served = await place.serve({ WEATHERD_EXTERNAL_TRANSPORT: transport });
    expect(await statusOf(served.external)).to.equal(500);
    await eventually(served.log, (text) => text.includes('"planted"'));
    await statusOf(`${served.external}/crash`).catch(() => undefined);
    const { status, stdout, stderr } = await served.ended;
    expect(status).to.equal(1);
    const logged = stdout.split('\n').find((line) => line.includes('"planted"')) ?? '{}';
    const { stack } = (JSON.parse(logged) as { err: { stack: string } }).err;
    expect(sourceLine(stack, 'src/adapters/http/server/http-server.ts')).to.contain('dispatch(');
    expect(sourceLine(stderr, 'src/adapters/http/core/pages/page-routes.ts')).to.contain('message');
    for (const text of [stack, stderr.slice(stderr.indexOf('TypeError'))])
      expect(text).not.to.contain('dist/service');
  });

  it('takes the default export of a package in CommonJS that is loaded when it is needed', () => {
    // A bundle has no other one of such a package. Started from the sources, Node.js finds the others too.
    const loads = readSource(join(PROJECT, 'src')).flatMap(({ text }) => [
      ...text.matchAll(/const \{ ([^}]+) \} = await import\('([^.#'][^':]*)'\)/g),
    ]);
    expect(loads).to.have.length.greaterThan(3);
    for (const [, names = '', name = ''] of loads) {
      const manifest = readFileSync(join(PROJECT, 'node_modules', name, 'package.json'), 'utf8');
      const isModule = (JSON.parse(manifest) as { type?: string }).type === 'module';
      if (!isModule) expect(names, name).to.match(/^default: \w+$/);
    }
  });

  it('has no file of an earlier bundle', () => {
    const scripts = readdirSync(BUNDLE).filter((name) => name.endsWith('.js'));
    const imported = scripts.flatMap((name) =>
      [...readFileSync(join(BUNDLE, name), 'utf8').matchAll(/"\.\/([\w-]+\.js)"/g)].map(
        ([, target]) => target,
      ),
    );
    const exported = ['transport', 'source', 'target', 'import-format', 'testing'].map(
      (name) => `${name}.js`,
    );
    const used = new Set([...imported, ...exported]);
    const others = scripts.filter((name) => !used.has(name) && !name.endsWith('worker.js'));
    expect(imported).to.have.length.greaterThan(100);
    expect(others).to.deep.equal(['main.js']);
  });

  it('has the licence of each package that it holds a copy of', () => {
    const texts = readFileSync(join(BUNDLE, 'LICENSES.txt'), 'utf8');
    const files = readdirSync(BUNDLE).filter(
      (name) => name.endsWith('.js') && existsSync(join(BUNDLE, `${name}.map`)),
    );
    const sources = files.flatMap((name) => sourcesOf(join(BUNDLE, name)));
    const packages = new Set(
      sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
    );
    // The maps of some packages name folders that are not there.
    const copied = [...packages].filter((name) => existsSync(join(PROJECT, 'node_modules', name)));
    expect(copied).to.include('zod').and.to.have.length.greaterThan(30);
    for (const name of copied) expect(texts).to.match(new RegExp(`^${name} \\d+\\.`, 'm'));
  });
});

/** The first line of a source file that a stack names. */
function sourceLine(stack: string, file: string): string | undefined {
  const [, line = ''] = new RegExp(`${file}:(\\d+):\\d+`).exec(stack) ?? [];
  return readFileSync(join(PROJECT, file), 'utf8').split('\n')[Number(line) - 1];
}
