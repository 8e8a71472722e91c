import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MILLISECONDS } from '#domain/time.js';
import { openMeteoService } from '../support/devices/open-meteo.js';
import { type Simulator, SIMULATORS } from '../support/devices/simulators.js';
import { ACCEPTING, type AcceptingService, OPENWEATHERMAP_KEY } from '../support/targets/services.js';
import { blocksOf, commandsOf, DocumentShell, NOT_RUN, ROOT, type Shown } from '../support/document-shell.js';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .sort((a, b) => (a < b ? -1 : 1)),
];
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

const station = (id: string) =>
  `weatherd station add ${id} --latitude 59.91 --longitude 10.75 --time-zone Europe/Oslo --interval 600\n`;
/** Data as other pages make them, made once and copied. */
const DATA = {
  demo: 'weatherd demo\n',
  'no roof': 'rm -r data\nweatherd init eve\n',
  'no garden': `weatherd user add bob\n${['roof', 'mast', 'greenhouse', 'JFK'].map(station).join('')}`,
  all: station('garden'),
};

const SECRET_OF_TARGETS = 'secret-of-a-target';

/** A table with a row of a minute ago, because weather services get only current rows. */
function rowOfNow(): string {
  const time = new Date(Date.now() - MILLISECONDS.minute).toISOString();
  return `time,air_temperature,relative_humidity,surface_air_pressure,wind_speed,wind_from_direction\n${time},3.4,81,1005.8,2.1,214\n`;
}

/** What must be there before the commands of a page, as the page says. */
interface Preparation {
  /** By default all. The data that README.md has left are missing if only a later page is tested. */
  readonly data?: keyof typeof DATA | 'README.md' | 'none';
  /** Commands that run first. */
  readonly before?: string;
  /** Content by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the addresses of sources and of providers of forecasts are replaced by those of simulated devices and services. */
  readonly hasDevices?: true;
  /** Whether the services in commands that add hooks are simulated. Then `hook test` sends to them. */
  readonly hasServices?: true;
}

const ECOWITT = 'test/fixtures/imports/ecowitt/ecowitt-sdcard-en-201804A.csv';
const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  'README.md': { data: 'none' },
  'docs/api.md': { data: 'none', before: 'npm start' },
  'docs/cookbook.md': { data: 'demo', before: 'npm start' },
  'docs/uploads.md': { data: 'no garden' },
  'docs/frames.md': { before: 'npm start' },
  'docs/events.md': { before: 'npm start' },
  'docs/import.md': {
    data: 'no garden',
    before: 'npm start',
    files: {
      '202306A.CSV': read(ECOWITT),
      'garden.csv': 'time,temp,gust\n2024-01-01 10:00,3.9,12\n2024-01-01 10:10,NA,14\n',
    },
  },
  'docs/files.md': { data: 'demo', before: 'npm start' },
  'docs/clients.md': { data: 'demo', before: 'npm start' },
  'docs/weather/indices.md': { data: 'demo', before: 'npm start' },
  'docs/weather/climate.md': { data: 'demo', before: 'npm start' },
  'docs/sources.md': {
    data: 'no roof',
    files: Object.fromEntries([
      ['ecowitt.key', 'application-key=APP\napi-key=KEY\n'],
      ['home.key', 'token=long-lived\n'],
      ['tempest.key', 'token=d3b07384-token\n'],
      ['weatherlink.key', 'api-key=key-of-a-test\napi-secret=secret-of-a-test\n'],
      ['netatmo.key', 'client-id=client\nclient-secret=client-secret\nrefresh-token=refresh-0\n'],
    ]),
    hasDevices: true,
  },
  'docs/forecast.md': { hasDevices: true },
  'docs/hooks.md': {
    files: { 'secret.txt': 'a-secret-of-a-hook\n', 'wu-key.txt': 'key\n', 'usr/local/bin/archive-row': '' },
  },
  'docs/targets.md': {
    before: 'weatherd import row.csv --station JFK --yes\nweatherd import row.csv --station garden --yes',
    hasServices: true,
    files: {
      'row.csv': rowOfNow(),
      'wu-key.txt': `${SECRET_OF_TARGETS}\n`,
      'windy-password.txt': `${SECRET_OF_TARGETS}\n`,
      'weathercloud-key.txt': `${SECRET_OF_TARGETS}\n`,
      'openweathermap-key.txt': `${OPENWEATHERMAP_KEY}\n`,
      'awekas-password.txt': `${SECRET_OF_TARGETS}\n`,
      'windguru-password.txt': `${SECRET_OF_TARGETS}\n`,
      'temperatur-nu-hash.txt': `${SECRET_OF_TARGETS}\n`,
      'bot-token.txt': '123456789:AAE-token_of_a_bot_0123456789\n',
      'app-token.txt': 'AToken.of-app\n',
      'body.json': '{ "content": "**{{title}}**\\n{{text}} {{link}}" }\n',
    },
  },
  'docs/mqtt.md': {
    files: { 'etc/weatherd/mapping.json': '{"sources":[{"preset":"weewx-mqtt","station":"garden"}]}' },
  },
  'docs/transports.md': {
    data: 'none',
    files: { 'my-transport.js': `export { default } from '${ROOT}/dist/test/support/node-transport.js';\n` },
  },
  // The commands of the demo refuse data with a station of their own that has an id of the demo. After those of README.md, they take
  // a tenth of the time.
  'docs/operating/commands.md': { data: 'README.md' },
  'docs/operating/backup.md': {
    before: 'weatherd backup /var/backups/weatherd/weatherd-20260131T120000Z.db',
  },
  'docs/operating/postgresql.md': {
    files: { 'etc/weatherd/database-url': 'postgres://weatherd:PASSWORD@one:5432/weatherd' },
  },
};

/** Texts of the pages that stand for what only the data know, or only a person. */
const PLACEHOLDERS: readonly (readonly [string, string])[] = [
  ['weatherd keys retire KEY', "weatherd keys retire $(weatherd keys list | sed -n '2s/ .*//p')"],
  ['upload approve 3f9a01bc', "upload approve $(weatherd upload pending | sed -n '2s/ .*//p')"],
  [
    '0d9f8a52-…',
    "$(weatherd overrule list --station roof --json | node -p 'JSON.parse(fs.readFileSync(0))[0].id')",
  ],
  // The page says that the data directory is empty then.
  ['weatherd restore /backups/', 'rm -r data; weatherd restore /backups/'],
];

/** What the commands of a page show, where the page says it. */
const CHECKS: Readonly<Record<string, (shown: Shown, shell: DocumentShell) => void | Promise<void>>> = {
  'docs/uploads.md': ({ stdout, stderr }) => {
    expect(stderr).to.match(/^(?:Changed the data in .*\n)+$/);
    for (const pattern of [
      /Upload key 1 of garden\. The secret is displayed only now:/,
      /Settings to enter, for each console profile:/,
      /success\{"errcode":"0","errmsg":"ok"\}/,
      /"air_temperature":.*12\.3888888889/,
      /^2 +garden +\d{4}-\S+Z .* 2 +0 +ecowitt$/m,
      /Fields that are not stored:\n {2}temp1f +50\.2 °F/,
      /^[\da-f]{8} +\d{4}-\S+Z +127\.0\.0\.1 +1 +ecowitt$/m,
      /Upload key 2 has 1 mapped field\(s\)\.\nNote: The rain of key 2 is not stored/,
    ])
      expect(stdout).to.match(pattern);
  },
  // The service that the chapter "From a web page" has started gives its reply to its script, and lets a page of the origin read it.
  'docs/api.md': async (_shown, shell) => {
    const page = read('docs/api.md');
    const [script = ''] = blocksOf(page, ['js']);
    const [reply = ''] = blocksOf(page, ['json']);
    shell.write(
      'page.mjs',
      shell.here(script).replace('console.log(reply)', 'console.log(JSON.stringify(reply))'),
    );
    const { stdout } = await shell.run('node page.mjs');
    expect(JSON.parse(stdout)).to.deep.equal(JSON.parse(reply));
    const origin = 'http://localhost:5173';
    const { headers } = await fetch(shell.url('external'), { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).to.equal(origin);
  },
  'docs/frames.md': ({ stdout }) => {
    expect(stdout).to.contain('"inserted":1');
  },
  'docs/events.md': ({ stdout }) => {
    expect(stdout).to.match(/^retry: \d+$/m);
  },
  'docs/targets.md': ({ stdout }) => {
    const commands = commandsOf(read('docs/targets.md')).join('\n');
    const count = commands.match(/^weatherd hook test /gm)?.length ?? 0;
    expect(stdout.match(/The target accepted the message\./g)).to.have.length(count);
    expect(count).to.be.greaterThan(7);
    expect(stdout).not.to.match(new RegExp(`${SECRET_OF_TARGETS}|${OPENWEATHERMAP_KEY}`));
  },
};

describe('the commands of the documents', () => {
  const withCommands = PAGES.filter((page) => commandsOf(read(page)).length > 0);

  let made: string;

  before(async () => {
    made = mkdtempSync(join(tmpdir(), 'weatherd-docs-data-'));
    const shell = await DocumentShell.make();
    for (const [name, commands] of Object.entries(DATA)) {
      expect(await shell.run(commands)).to.have.property('status', 0);
      await shell.close();
      cpSync(join(shell.folder, 'data'), join(made, name), { recursive: true });
    }
    await shell.remove();
  });
  after(() => rmSync(made, { recursive: true }));

  it('are in many pages', () => {
    expect(withCommands).to.have.length.greaterThan(14).and.include('CONTRIBUTING.md');
    expect(withCommands).to.include.members(Object.keys(PREPARATIONS));
  });

  it('are in blocks that are marked as such', () => {
    for (const page of PAGES)
      for (const block of blocksOf(read(page), ['']))
        expect(block, page).not.to.match(
          /^(?:\$ )?(?:WEATHERD_\w+=\S* +)*(?:weatherd(?:-admin)?|curl|npm|node|sudo) /m,
        );
  });

  it('are of programs that run here, but for a short list', () => {
    const commands = withCommands.flatMap((page) => commandsOf(read(page))).join('\n');
    for (const [program, reason] of Object.entries(NOT_RUN))
      expect(commands, reason).to.match(new RegExp(`(?:^|\\| )${program} `, 'm'));
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object };
    for (const [, script = ''] of commands.matchAll(/^npm (?:run )?(?!install)([\w:]+)/gm))
      expect(scripts).to.have.property(script);
  });

  for (const page of withCommands) {
    it(`of ${page} run as they stand there`, async () => {
      const commands = commandsOf(read(page)).join('\n');
      const { data = 'all', before = '', files = {}, hasDevices, hasServices } = PREPARATIONS[page] ?? {};
      const shell = await DocumentShell.make();
      shell.testsHooks = hasServices === true;
      const { replace, close } = hasDevices
        ? await simulatedDevices()
        : hasServices
          ? await simulatedServices()
          : NO_DEVICES;
      const dataDir = join(shell.folder, 'data');
      if (existsSync(join(made, data))) cpSync(join(made, data), dataDir, { recursive: true });
      try {
        for (const [path, content] of Object.entries(files)) shell.write(path, content);
        const prepared = await shell.run(before);
        expect(prepared.status, prepared.stderr).to.equal(0);
        const filled = PLACEHOLDERS.reduce(
          (text, [from, to]) => text.replaceAll(from, to),
          replace(commands),
        );
        const shown = await shell.run(filled);
        expect(shown.status, `${shown.stdout}${shown.stderr}`).to.equal(0);
        // A comment in front of a request says that it is refused.
        const refused = [...commands.matchAll(/^# (4\d\d): /gm)].map(([, status]) => Number(status));
        expect(shown.statuses.filter((status) => status >= 400)).to.deep.equal(refused);
        await CHECKS[page]?.(shown, shell);
        for (const block of commandsOf(read(page)))
          expect(() => shell.config(settingsOf(block))).not.to.throw();
        if (page === 'README.md') {
          await shell.stop();
          cpSync(dataDir, join(made, page), { recursive: true });
        }
      } finally {
        await shell.remove();
        await close();
      }
    });
  }
});

const NO_DEVICES = { replace: (commands: string) => commands, close: () => Promise.resolve() };

/**
 * Starts a device or a service of each kind of source, and a provider of forecasts. `replace` puts their addresses into commands that add
 * sources, and into the settings of forecasts.
 */
async function simulatedDevices() {
  const started = new Map<string, Simulator>();
  for (const [kind, start] of Object.entries(SIMULATORS)) started.set(kind, await start());
  const provider = await openMeteoService();
  const addresses = ['OPEN_METEO', 'PREVIOUS_RUNS'].map(
    (name) => `export WEATHERD_FORECAST_${name}_URL=${provider.url}\n`,
  );
  const replace = (commands: string) =>
    addresses.join('') +
    commands.replaceAll(
      /^(weatherd source add \S+ --kind (\S+)) ((?:[^\n]*\\\n)*[^\n]*)$/gm,
      (whole: string, begin: string, kind: string, options: string) => {
        const settings = started.get(kind)?.settings;
        if (settings === undefined) return whole;
        const { address, account, url } = settings;
        const own = options
          .replace(/--address \S+/, `--address ${address}`)
          .replace(/--account \S+/, `--account ${account}`);
        return `${begin} ${url === undefined ? '' : `--url ${url} --allow-any-address `}${own}`;
      },
    );
  return {
    replace,
    close: async () => {
      for (const device of [...started.values(), provider]) await device.close();
    },
  };
}

/** Starts a service of each kind of target. `replace` puts their addresses into commands that add hooks. */
async function simulatedServices() {
  const started = new Map<string, AcceptingService>();
  for (const [kind, start] of Object.entries(ACCEPTING)) started.set(kind, await start());
  return {
    replace: (commands: string) =>
      commands.replaceAll(/^weatherd hook add .*--upload (\S+).*$/gm, (whole: string, kind: string) => {
        const url = started.get(kind)?.url;
        return url === undefined ? whole : `${whole} --url ${url} --allow-private`;
      }),
    close: async () => {
      for (const service of started.values()) service.stop();
    },
  };
}

/** The settings that a block lists, each on a line of its own. */
function settingsOf(block: string): Record<string, string> {
  const lines = block.matchAll(/^(WEATHERD_\w+)=(\S+)(?: +#.*)?$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}
