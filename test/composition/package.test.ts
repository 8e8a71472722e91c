import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { keepReachedDeclarations, publishedManifest, readManifest, setModes } from '../support/published.js';
import { eventually, OPTIMIZE_LATER, waitForEnd, signIn, statusOf, Workplace } from '../support/process.js';
import { STATION } from '../support/weather-world.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const FIXTURE = join(PROJECT, 'test/fixtures/transport-package');
const SOURCE_FIXTURE = join(PROJECT, 'test/fixtures/source-package');
const TARGET_FIXTURE = join(PROJECT, 'test/fixtures/target-package');
const FORMAT_FIXTURE = join(PROJECT, 'test/fixtures/import-format-package');
const PASSWORD = 'correct horse battery staple';

const COMMAND = 'node_modules/weatherd/bin/weatherd.mjs';

/** Runs a program to its end and returns its output. */
function run(cwd: string, command: string, parameters: readonly string[], environment = {}, input = '') {
  const { status, stdout, stderr } = spawnSync(command, parameters, {
    cwd,
    encoding: 'utf8',
    input,
    env: { ...process.env, NODE_V8_COVERAGE: '', ...environment },
  });
  return { status, text: `${stdout}${stderr}` };
}

/** Runs a program in JavaScript to its end and returns its output. */
function runNode(cwd: string, parameters: readonly string[], environment = {}, input = '') {
  return run(cwd, process.execPath, [...OPTIMIZE_LATER, ...parameters], environment, input);
}

describe('the package, in a project of its own', () => {
  /** Its own commands run in the process of the test. They prepare the data that the processes of the package use. */
  let place: Workplace;
  let folder: string;
  let archive: string;

  /** Runs a command of the package in a process. */
  const weatherd = (parameters: readonly string[], settings = {}) =>
    runNode(folder, [COMMAND, ...parameters], settings, PASSWORD);

  before(async () => {
    place = await Workplace.make();
    folder = place.folder;
    const compiler = join(PROJECT, 'node_modules/typescript/bin/tsc');
    const declared = runNode(PROJECT, [compiler, '--project', 'tsconfig.types.json']);
    expect(declared.status, declared.text).to.equal(0);
    keepReachedDeclarations(PROJECT);
    setModes(PROJECT);
    const packed = run(PROJECT, 'npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
    expect(packed.status, packed.text).to.equal(0);
    // The packages that the published package names, and the types of Node.js for the declarations.
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, 'weatherd'), { recursive: true });
    const published = publishedManifest(readManifest());
    const named = [
      published.dependencies,
      published.optionalDependencies,
      published.peerDependencies,
    ].flatMap((packages) => Object.keys(packages ?? {}));
    for (const name of [...named, '@types/node']) {
      const installed = join(PROJECT, 'node_modules', name);
      // Each version of Node.js has one driver of SQLite.
      if (!existsSync(installed)) continue;
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(installed, join(modules, name));
    }
    archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const into = ['--extract', '--file', archive, '--directory', 'node_modules/weatherd'];
    const unpacked = run(folder, 'tar', [...into, '--strip-components=1']);
    expect(unpacked.status, unpacked.text).to.equal(0);
    writeFileSync(join(modules, 'weatherd/package.json'), JSON.stringify(published, null, 2));
    cpSync(FIXTURE, folder, { recursive: true });
    cpSync(SOURCE_FIXTURE, join(folder, 'source'), { recursive: true });
    cpSync(TARGET_FIXTURE, join(folder, 'target'), { recursive: true });
    cpSync(FORMAT_FIXTURE, join(folder, 'format'), { recursive: true });
    const made = weatherd(['init', 'ada']);
    expect(made.status, made.text).to.equal(0);
    await place.makeData({}, [{ ...STATION, id: 'roof', timeZone: 'Europe/Oslo' }]);
  });
  after(() => place.remove());

  it('is packed to the same bytes in another folder, at another time and with another umask', () => {
    const source = join(folder, 'again');
    cpSync(join(folder, 'node_modules/weatherd'), source, { recursive: true });
    cpSync(join(PROJECT, 'package.json'), join(source, 'package.json'));
    // The modes that all files would have with the umask 077.
    for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' }))
      chmodSync(join(source, path), 0o700);
    setModes(source);
    const packed = run(source, 'npm', ['pack', '--ignore-scripts']);
    expect(packed.status, packed.text).to.equal(0);
    expect(readFileSync(join(source, archive)).equals(readFileSync(join(folder, archive)))).to.equal(true);
  });

  const runContract = (transport: string) =>
    runNode(folder, ['node_modules/mocha/bin/mocha.js', '--exit', 'transport.test.js'], {
      TRANSPORT: transport,
    });

  it('has a suite that a transport outside it passes', () => {
    const { status, text } = runContract('./index.js');
    expect(status, text).to.equal(0);
    expect(text)
      .to.match(/\b16 passing/)
      .and.contain('transport › index.js');
  });

  for (const [twin, rule] of [
    ['./decodes-twice.js', 'decodes path parameters once'],
    ['./ignores-case.js', 'matches paths exactly and with case'],
    ['./adds-header.js', 'and adds no header'],
    ['./hides-failure.js', 'breaks off a stream that fails'],
  ] as const) {
    it(`has a suite that names the rule that a transport breaks: ${rule}`, () => {
      const { status, text } = runContract(twin);
      expect(status).not.to.equal(0);
      const failures = text.slice(text.indexOf('failing'));
      expect(failures).to.contain(rule);
    });
  }

  it('declares the types of a transport, of kinds of sources and targets, and of an import format', () => {
    const compiler = join(PROJECT, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    // The examples of the documents.
    const examples = ['source/index.js', 'target/index.js', 'format/index.js', 'format/format.test.js'];
    options.push('--allowJs', '--checkJs', ...examples);
    const files = ['types.ts', 'source/source-types.ts', 'target/target-types.ts', 'format/format-types.ts'];
    const { status, text } = runNode(folder, [compiler, ...options, ...files]);
    expect(status, text).to.equal(0);
  });

  it('has those type declarations alone that the compiler reads for its exports', () => {
    const types = Object.entries(readManifest().exports ?? {}).filter(
      ([, value]) => typeof value === 'object',
    );
    const imports = types.map(([path]) => `import '${path.replace('.', 'weatherd')}';\n`);
    expect(imports).to.include("import 'weatherd/testing';\n");
    writeFileSync(join(folder, 'all-exports.ts'), imports.join(''));
    const compiler = join(PROJECT, 'node_modules/typescript/bin/tsc');
    const options = ['--listFilesOnly', '--module', 'nodenext', '--types', 'node', 'all-exports.ts'];
    const { text } = runNode(folder, [compiler, ...options]);
    const root = join(folder, 'node_modules/weatherd');
    const read = text.split('\n').flatMap((line) => (line.startsWith(root) ? relative(root, line) : []));
    const shipped = readdirSync(root, { recursive: true, encoding: 'utf8' });
    expect(shipped.filter((path) => path.endsWith('.d.ts'))).to.have.members(read);
  });

  const runSourceContract = (source: string) =>
    runNode(join(folder, 'source'), ['../node_modules/mocha/bin/mocha.js', '--exit', 'source.test.js'], {
      SOURCE: source,
    });

  it('has a suite that a kind of source outside it passes', () => {
    const { status, text } = runSourceContract('./index.js');
    expect(status, text).to.equal(0);
    expect(text)
      .to.match(/\b10 passing/)
      .and.contain('source › index.js');
  });

  it('has a suite that names the rule that a kind of source breaks', () => {
    const { status, text } = runSourceContract('./unchecked.js');
    expect(status).not.to.equal(0);
    const failures = text.slice(text.indexOf('failing'));
    expect(failures).to.contain('fails with a sentence if the device sends a page');
    expect(failures).to.contain('fails with a sentence if the device sends an empty object');
  });

  const runTargetContract = (target: string) =>
    runNode(join(folder, 'target'), ['../node_modules/mocha/bin/mocha.js', '--exit', 'target.test.js'], {
      TARGET: target,
    });

  it('has a suite that a kind of target outside it passes', () => {
    const { status, text } = runTargetContract('./index.js');
    expect(status, text).to.equal(0);
    expect(text)
      .to.match(/\b9 passing/)
      .and.contain('target › index.js');
  });

  it('has a suite that names the rule that a kind of target breaks', () => {
    const { status, text } = runTargetContract('./unchecked.js');
    expect(status).not.to.equal(0);
    const failures = text.slice(text.indexOf('failing'));
    for (const rule of [
      'has a name, a title, a receiver',
      'answers with status 500',
      'refuses the secret',
      'the sign-in page of a network',
    ])
      expect(failures).to.contain(rule);
  });

  it('sends to a target of a kind of another package', async () => {
    const settings = { WEATHERD_TARGET_MODULES: './target/index.js' };
    const add = ['hook', 'add', 'net', '--station', 'roof', '--upload', 'example-network'];
    expect(weatherd(add, settings).text).to.contain('A target of the kind example-network needs an account.');
    writeFileSync(join(folder, 'token'), 'token-of-a-test\n');
    const address = ['--url', 'http://127.0.0.1:1', '--allow-private'];
    const account = ['--account', 'garden', '--secret-file', 'token'];
    const added = weatherd([...add, ...account, ...address], settings);
    expect(added.text).to.contain('example-network garden at http://127.0.0.1:1/');
    const rows = `time,air_temperature\n${new Date(Date.now() - 60_000).toISOString()},3.4\n`;
    const imported = await place.run(['import', '-', '--station', 'roof', '--yes'], rows);
    expect(imported.status, imported.stderr).to.equal(0);
    const { text } = weatherd(['hook', 'test', 'net'], settings);
    expect(text).to.contain('authorization: Bearer ***').and.to.contain('"celsius":3.4');
    expect(text).to.contain('did not accept the message: The target refused the connection.');
  });

  it('asks a source of a kind of another package', () => {
    const add = ['source', 'add', 'one', '--kind', 'example-station', '--station', 'roof'];
    const refused = weatherd([...add, '--address', '127.0.0.1:1'], {
      WEATHERD_SOURCE_MODULES: './source/index.js',
    });
    expect(refused.text).to.equal('weatherd: The source refused the connection.\n');
  });

  const runFormatContract = (format: string) =>
    runNode(join(folder, 'format'), ['../node_modules/mocha/bin/mocha.js', '--exit', 'format.test.js'], {
      FORMAT: format,
    });

  it('has a suite that an import format outside it passes', () => {
    const { status, text } = runFormatContract('./index.js');
    expect(status, text).to.equal(0);
    expect(text)
      .to.match(/\b9 passing/)
      .and.contain('import format › index.js');
  });

  it('has a suite that names the rules that an import format breaks', () => {
    const { status, text } = runFormatContract('./unchecked.js');
    expect(status).not.to.equal(0);
    const failures = text.slice(text.indexOf('failing'));
    for (const rule of [
      'recognizes no other file, and fails with none',
      'reads the rows that its files have, with all their values and no other',
      'has times in whole seconds, and values that can occur',
      'reads only values of the file if the digits of a line are damaged',
      'reads a file that was cut as far as it goes, or refuses it with a sentence',
      'keeps no rows in memory while it reads a long file',
    ])
      expect(failures).to.contain(rule);
  });

  it('imports a file of an import format of another package, and lists it in the help', async () => {
    const settings = { WEATHERD_IMPORT_FORMAT_MODULES: './format/index.js' };
    expect(weatherd(['import', '--help'], settings).text).to.contain(
      '\n  example-logger: Example logger, memory card\n',
    );
    const file = ['import', 'format/example.csv', '--station', 'roof'];
    const asked = weatherd(file, settings);
    expect(asked.status).to.equal(1);
    expect(asked.text).to.contain('--unit wind=km/h');
    const imported = weatherd([...file, '--unit', 'wind=km/h'], settings);
    expect(imported.status, imported.text).to.equal(0);
    expect(imported.text).to.contain('Example logger, memory card');
    const { stdout } = await place.run(['export', '--station', 'roof', '--format', 'csv']);
    expect(stdout).to.contain('2024-06-01T08:10:00Z').and.contain('2024-06-02T08:30:00Z');
  });

  it('serves with a transport of another package, and signs in', async () => {
    const settings = {
      WEATHERD_EXTERNAL_TRANSPORT: './index.js',
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
    };
    const child = spawn(process.execPath, [...OPTIMIZE_LATER, COMMAND], {
      cwd: folder,
      env: { ...process.env, ...settings },
    });
    try {
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      await eventually(
        () => Promise.resolve(said),
        (text) => text.includes('Try next'),
      );
      expect(said).to.contain('(./index.js)');
      const url = (api: string) => new RegExp(`${api} API +(\\S+)`).exec(said)?.[1] ?? '';
      expect(await statusOf(`${url('internal')}/v1/weatherd.h`)).to.equal(200);
      const credentials = { username: 'ada', email: null, password: PASSWORD };
      expect(await signIn(url('external'), credentials)).to.have.property('status', 200);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await waitForEnd(child)).to.have.property('status', 0);
  });
});
