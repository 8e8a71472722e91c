import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { IMPORT_FORMATS } from '#adapters/formats/import-formats/import-formats.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { loadConfig } from '#composition/config.js';
import { openApplication } from '#composition/container.js';
import { loadImportFormats, loadSourceKinds, loadTargetKinds } from '#composition/modules/extensions.js';
import { loadTransport } from '#composition/modules/transports.js';
import { reasonOf } from '#composition/reason.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { eventually, signIn, Workplace } from '../support/process.js';
import { rejectionOf } from '../support/rejection.js';
import { STATION } from '../support/weather-world.js';

const PACKAGE = fileURLToPath(new URL('../../../test/fixtures/import-format-package/', import.meta.url));
const PASSWORD = 'correct horse';

const RECOGNIZE = 'recognize: () => undefined';
const FORMAT = `{ name: 'one', title: 'One', ${RECOGNIZE} }`;
const KIND = `{ name: 'shelly', title: 'S', reach: 'local', shortestInterval: 1, settings: {}, ask: async () => [] }`;

/** What is wrong with a module, its text, and the message about it. */
const FAULTS: readonly (readonly [
  load: (modules: readonly string[]) => Promise<unknown>,
  text: string | undefined,
  message: string,
])[] = [
  [loadImportFormats, undefined, 'The module M cannot be loaded: no file or package has this name'],
  [loadImportFormats, 'export default {', 'The module M cannot be loaded: Unexpected end of input'],
  [loadImportFormats, "throw new Error('no\\nbody')", 'The module M cannot be loaded: no'],
  [loadImportFormats, '', 'The module M does not export an import format (docs/import.md).'],
  [
    loadImportFormats,
    'export default null',
    'The module M does not export an import format (docs/import.md).',
  ],
  [
    loadImportFormats,
    `export default { name: 'A b', title: 'A', ${RECOGNIZE} }`,
    'The module M does not export an import format (docs/import.md).',
  ],
  [
    loadImportFormats,
    `export default { name: 'a', title: '', ${RECOGNIZE} }`,
    'The module M does not export an import format (docs/import.md).',
  ],
  [
    loadImportFormats,
    `export default ${KIND}`,
    'The module M does not export an import format (docs/import.md).',
  ],
  [
    loadImportFormats,
    `export default { name: 'dwd', title: 'D', ${RECOGNIZE} }`,
    'The module M exports an import format with the name dwd, which exists already.',
  ],
  [
    loadImportFormats,
    `export default { name: 'meteostat-stations', title: 'M', ${RECOGNIZE} }`,
    'The module M exports an import format with the name meteostat-stations, which exists already.',
  ],
  [loadSourceKinds, undefined, 'The module M cannot be loaded: no file or package has this name'],
  [
    loadSourceKinds,
    `export default ${FORMAT}`,
    'The module M does not export a kind of source (docs/sources.md).',
  ],
  [
    loadSourceKinds,
    `export default ${KIND}`,
    'The module M exports a kind of source with the name shelly, which exists already.',
  ],
  [
    loadTargetKinds,
    `export default ${KIND}`,
    'The module M does not export a kind of target (docs/targets.md).',
  ],
  [
    loadTargetKinds,
    `export default { name: 'one', title: 'One', settings: {}, weather: { send() {} } }`,
    'The module M does not export a kind of target (docs/targets.md).',
  ],
  ...['wow-be', 'post'].map(
    (name) =>
      [
        loadTargetKinds,
        `export default { name: '${name}', title: 'One', settings: {}, notify() {} }`,
        `The module M exports a kind of target with the name ${name}, which exists already.`,
      ] as const,
  ),
  [
    ([name = '']) => loadTransport(name),
    `export default ${FORMAT}`,
    'The module M does not export a transport (docs/transports.md).',
  ],
];

describe('modules of packages', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weatherd-modules-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const [load, text, message] of FAULTS)
    it(`are refused in one line: ${load.name} of ${JSON.stringify(text)}`, async () => {
      const module = join(folder, 'module.mjs');
      if (text !== undefined) writeFileSync(module, text);
      expect(reasonOf(await rejectionOf(load([module]))).replace(module, 'M')).to.equal(message);
    });

  it('are named by the configuration if they do not exist', () => {
    for (const name of [
      'WEATHERD_IMPORT_FORMAT_MODULES',
      'WEATHERD_SOURCE_MODULES',
      'WEATHERD_TARGET_MODULES',
    ])
      expect(() => loadConfig(undefined, { [name]: 'weatherd-none, ./none.js' }))
        .to.throw(`${name}: the module weatherd-none cannot be loaded: no file or package has this name`)
        .with.property('message')
        .that.contains(`${name}: the module ./none.js cannot be loaded`);
  });

  it('are refused if two use one name', async () => {
    const modules = ['a.mjs', 'b.mjs'].map((name) => join(folder, name));
    for (const module of modules) writeFileSync(module, `export default ${FORMAT}`);
    expect((await loadImportFormats(modules.slice(0, 1))).map(({ name }) => name)).to.deep.equal([
      ...IMPORT_FORMATS.map(({ name }) => name),
      'one',
    ]);
    expect(String(await rejectionOf(loadImportFormats(modules)))).to.contain('with the name one');
  });
});

describe('an import format of a package', () => {
  let place: Workplace;
  const settings = { WEATHERD_IMPORT_FORMAT_MODULES: join(PACKAGE, 'index.js') };

  before(async () => {
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
    const config = loadConfig(undefined, { WEATHERD_DATA_DIR: place.dataDir });
    const application = await openApplication(config, () => undefined);
    const user = { name: 'root', email: null, password: PASSWORD, administrator: true };
    await application.container.get(AddUser).execute(user, COMMAND_LINE);
    await application.close();
  });
  after(() => place.remove());

  it('is listed and recognized over HTTP, also with worker processes', async () => {
    const served = await place.serve({ ...settings, WEATHERD_SITE: 'false', WEATHERD_WORKERS: '2' });
    const { token = '' } = (
      await signIn(served.external, { username: 'root', email: null, password: PASSWORD })
    ).body;
    const call = async (method: string, path: string, bearer: string, body?: string) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const response = await fetch(served.external + path, { method, headers, ...(body && { body }) });
      return (await response.json()) as { token: string; import: string; formats: unknown };
    };
    const { formats } = await call('GET', '/v1/imports', token);
    expect(formats).to.deep.equal([
      ...IMPORT_FORMATS.map(({ name, title }) => ({ name, title })),
      { name: 'example-logger', title: 'Example logger, memory card' },
    ]);
    const elevated = (await call('POST', '/v1/auth/elevate/', token, JSON.stringify({ password: PASSWORD })))
      .token;
    const file = readFileSync(join(PACKAGE, 'example.csv'), 'utf8');
    const { import: id } = await call('POST', '/v1/imports?station=JFK&filename=a.csv', elevated, file);
    const job = async () =>
      (await call('GET', `/v1/imports/${id}`, token)).import as unknown as {
        readonly state: string;
        readonly plan: { readonly format: string };
      };
    const planned = await eventually(job, ({ state }) => state !== 'planning');
    expect(planned.state).to.equal('asking');
    expect(JSON.stringify(planned)).to.contain('Example logger, memory card').and.contain('unit:wind');
  });

  it('is in the help of the import and in the message about presets', async () => {
    for (const command of [
      ['import', '--help'],
      ['help', 'import'],
    ])
      expect((await place.run(command, '', settings)).stdout).to.contain(
        '\n  example-logger: Example logger, memory card\n',
      );
    const unknown = ['import', join(PACKAGE, 'example.csv'), '--station', 'JFK', '--preset', 'example'];
    expect((await place.run(unknown, '', settings)).stderr).to.contain('Did you mean "example-logger"?');
  });

  it('does not hide the help if it cannot be loaded', async () => {
    const { status, stdout } = await place.run(['import', '--help'], '', {
      WEATHERD_IMPORT_FORMAT_MODULES: 'weatherd-none',
    });
    expect(status).to.equal(0);
    expect(stdout)
      .to.contain('  dwd: Deutscher Wetterdienst')
      .and.match(/^Formats of packages are not listed: .*weatherd-none cannot be loaded: no file/m);
  });
});
