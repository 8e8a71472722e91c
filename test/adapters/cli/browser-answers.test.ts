import { readFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import type { Command } from 'commander';
import { makeProgram } from '#adapters/cli/program.js';
import { Terminal } from '#adapters/cli/terminal.js';
import { NAMES } from '#adapters/site/client/admin/imports/import-model.js';
import { admin } from '#adapters/site/client/text/en/admin.js';

/** Where an administrator does in the browser what a command does. */
interface Answer {
  readonly route: string;
  /** The section of the administration, or another page. */
  readonly panel: keyof typeof admin.sections | 'page of a station' | 'page about the API';
  /** The options that the panel has. */
  readonly has?: readonly string[];
  /** The options that the panel lacks, with the reason. */
  readonly lacks?: Readonly<Record<string, string>>;
}

/** The reasons why commands have no answer in the browser. */
type Machine = 'the machine' | 'files of the machine' | 'keys' | 'settings' | 'the terminal';

/** Options that only a terminal needs. */
const TERMINAL = new Set(['--json', '--yes', '--force', '--help']);
const PROGRAM = 'programs and private addresses are set with the command line only';
const FILE = 'the browser has a field instead of a file';
const ALIAS = 'another name';

const PLACE = ['--latitude', '--longitude', '--time-zone', '--name', '--elevation', '--interval'];
const SETTINGS = ['--visibility', '--position-decimals', '--limit', '--sensor-height'];
const FINE = [
  ...SETTINGS,
  '--identifier',
  '--step',
  '--persistence',
  '--stamp-interval',
  '--observation-time',
  '--cell-method',
];
const SOURCE = ['--station', '--address', '--account', '--device', '--url', '--file-port', '--every'];
const NO_SOURCE_OPTION = {
  '--map': 'the field for mappings',
  '--secret-file': FILE,
  '--allow-any-address': 'other addresses are allowed with the command line only',
};
/** The options of the targets of alarms. */
const TARGET = ['--post', '--ntfy', '--telegram', '--gotify', '--mail', '--to', '--account', '--url'];
const NO_TARGET_OPTION = { '--body-template': FILE, '--secret-file': FILE, '--allow-private': PROGRAM };
const NO_ALARM_OPTION = {
  ...NO_TARGET_OPTION,
  '--battery-below': 'the form keeps a charge that the command line has set',
};
const CONDITION = [
  '--station',
  '--all',
  '--silent',
  '--failed',
  '--suspect',
  '--notice',
  '--variable',
  '--days',
  '--battery',
  '--above',
  '--below',
  '--clear',
  '--for',
  '--forecast-above',
  '--forecast-below',
  '--within',
  '--probability',
];
const IMPORT = [
  '--station',
  '--dry-run',
  '--undo',
  '--map',
  '--leave-out',
  '--unit',
  '--date-order',
  '--counter',
  '--amount',
  '--time-column',
  '--time-format',
  '--date',
  '--time-zone',
  '--stamp-interval',
  '--interval',
  '--ambiguous',
  '--delimiter',
  '--skip-lines',
  '--no-header',
  '--decimal',
  '--encoding',
  '--missing',
  '--where',
  '--trace',
  '--variable-column',
  '--value-column',
  '--issued',
  '--preset',
  '--only',
];
const QUALITY = ['--station', '--variable', '--from', '--to'];

const ANSWERS: Readonly<Record<string, Answer | Machine>> = {
  serve: 'the machine',
  config: 'settings',
  doctor: 'the machine',
  'user add': { route: 'PUT /v1/users/{name}', panel: 'users', has: ['--email', '--administrator'] },
  'user list': { route: 'GET /v1/users', panel: 'users' },
  'user disable': { route: 'PUT /v1/users/{name}', panel: 'users' },
  'user enable': { route: 'PUT /v1/users/{name}', panel: 'users' },
  'user promote': { route: 'PUT /v1/users/{name}', panel: 'users' },
  'user demote': { route: 'PUT /v1/users/{name}', panel: 'users' },
  'user grant': { route: 'PUT /v1/users/{name}', panel: 'users', has: ['--all'] },
  'user withdraw': { route: 'PUT /v1/users/{name}', panel: 'users', has: ['--all'] },
  'user password': { route: 'PUT /v1/users/{name}', panel: 'users' },
  'user remove': { route: 'DELETE /v1/users/{name}', panel: 'users' },
  'session list': { route: 'GET /v1/sessions', panel: 'sessions' },
  'session revoke': { route: 'DELETE /v1/sessions/{id}', panel: 'sessions', has: ['--user'] },
  'keys list': 'keys',
  'keys rotate': 'keys',
  'keys retire': 'keys',
  audit: { route: 'GET /v1/audit', panel: 'audit', has: ['--limit', '--before'] },
  check: 'files of the machine',
  'station add': { route: 'PUT /v1/stations/{id}', panel: 'stations', has: [...PLACE, ...FINE] },
  'station set': {
    route: 'PUT /v1/stations/{id}',
    panel: 'stations',
    has: ['--since', ...PLACE, ...FINE],
    lacks: { '--forget-history': 'rare, and cannot be undone' },
  },
  'station list': { route: 'GET /v1/removed-stations', panel: 'stations', has: ['--removed'] },
  'station sensors': { route: 'GET /v1/stations/{id}/sensors', panel: 'page about the API' },
  'station show': { route: 'GET /v1/stations/{id}', panel: 'page of a station' },
  'station remove': {
    route: 'DELETE /v1/stations/{id}',
    panel: 'stations',
    lacks: { '--permanently': 'the service does it after 30 days', '--for-good': ALIAS },
  },
  'station restore': { route: 'POST /v1/stations/{id}/restore', panel: 'stations' },
  'override add': {
    route: 'POST /v1/stations/{id}/overrules',
    panel: 'quality',
    has: [...QUALITY, '--verdict', '--reason'],
  },
  'override list': { route: 'GET /v1/stations/{id}/overrules', panel: 'quality', has: ['--station'] },
  'override steps': {
    route: 'GET /v1/stations/{id}/lasting-steps',
    panel: 'quality',
    has: ['--station'],
    lacks: { '--from': 'the panel searches everything, in pages', '--to': 'the panel searches everything' },
  },
  'override notices': {
    route: 'GET /v1/stations/{id}/notices',
    panel: 'quality',
    has: ['--station'],
    lacks: { '--from': 'the panel lists all', '--to': 'the panel lists all' },
  },
  'override remove': {
    route: 'DELETE /v1/stations/{id}/overrules/{overrule}',
    panel: 'quality',
    has: ['--station'],
  },
  'alarm add': {
    route: 'PUT /v1/alarms/{name}',
    panel: 'alarms',
    has: [...CONDITION, ...TARGET],
    lacks: NO_ALARM_OPTION,
  },
  'alarm set': {
    route: 'PUT /v1/alarms/{name}',
    panel: 'alarms',
    has: [...CONDITION, ...TARGET, '--no-target'],
    lacks: NO_ALARM_OPTION,
  },
  'alarm list': { route: 'GET /v1/alarms', panel: 'alarms' },
  'alarm test': { route: 'POST /v1/alarms/{name}/test', panel: 'alarms' },
  'alarm remove': { route: 'DELETE /v1/alarms/{name}', panel: 'alarms' },
  'observations judge': {
    route: 'POST /v1/stations/{id}/overrules',
    panel: 'quality',
    has: [...QUALITY, '--verdict', '--reason'],
  },
  'observations remove': {
    route: 'DELETE /v1/stations/{id}/observations',
    panel: 'quality',
    has: [...QUALITY, '--dry-run'],
  },
  retention: {
    route: 'PUT /v1/stations/{id}/retention',
    panel: 'retention',
    has: ['--station', '--keep', '--show', '--dry-run'],
    lacks: { '--older-than': 'the service erases by the stored period' },
  },
  'upload-key add': {
    route: 'POST /v1/upload-keys',
    panel: 'keys',
    has: ['--station', '--note', '--make', '--rain', '--wind-unit', '--gauge'],
    lacks: { '--host': 'the address of the page is the address of the service' },
  },
  'upload-key list': { route: 'GET /v1/upload-keys', panel: 'keys', has: ['--station'] },
  'upload-key rotate': {
    route: 'POST /v1/upload-keys/{id}/rotate',
    panel: 'keys',
    has: ['--make'],
    lacks: { '--host': 'as above', '--overlap': 'the panel has the default of seven days' },
  },
  'upload-key revoke': { route: 'DELETE /v1/upload-keys/{id}', panel: 'keys' },
  'upload status': { route: 'GET /v1/uploads', panel: 'uploads' },
  'upload pending': { route: 'GET /v1/uploads/pending', panel: 'uploads' },
  'upload approve': {
    route: 'POST /v1/uploads/pending/{id}/approve',
    panel: 'uploads',
    has: ['--station', '--note'],
  },
  'upload map': {
    route: 'PUT /v1/upload-keys/{id}/mappings',
    panel: 'mappings',
    has: ['--station', '--scale', '--offset', '--counter', '--remove', '--wind-unit', '--gauge', '--rain'],
  },
  'source add': {
    route: 'PUT /v1/sources/{name}',
    panel: 'sources',
    has: ['--kind', ...SOURCE],
    lacks: NO_SOURCE_OPTION,
  },
  'source set': { route: 'PUT /v1/sources/{name}', panel: 'sources', has: SOURCE, lacks: NO_SOURCE_OPTION },
  'source list': { route: 'GET /v1/sources', panel: 'sources' },
  'source test': { route: 'POST /v1/sources/{name}/test', panel: 'sources' },
  // It sends broadcasts into the network of the machine.
  'source find': 'the machine',
  // The browser only dismisses gaps.
  'source fill': 'the terminal',
  'source pause': { route: 'POST /v1/sources/{name}/pause', panel: 'sources' },
  'source resume': { route: 'POST /v1/sources/{name}/resume', panel: 'sources' },
  'source remove': { route: 'DELETE /v1/sources/{name}', panel: 'sources' },
  'forecast add': { route: 'PUT /v1/forecasts/{id}', panel: 'forecasts', has: ['--provider'] },
  'forecast list': { route: 'GET /v1/forecasts', panel: 'forecasts' },
  'forecast remove': { route: 'DELETE /v1/forecasts/{id}', panel: 'forecasts' },
  // The service asks by itself, and learns from files of the machine or for minutes.
  'forecast fetch': 'the terminal',
  'forecast train': 'the terminal',
  'forecast import': 'files of the machine',
  'hook add': {
    route: 'PUT /v1/hooks/{name}',
    panel: 'hooks',
    has: ['--station', '--all', '--forecasts', '--post', '--upload', '--account', '--url'],
    lacks: { '--secret-file': FILE, '--allow-private': PROGRAM },
  },
  'hook list': { route: 'GET /v1/hooks', panel: 'hooks' },
  'hook test': { route: 'POST /v1/hooks/{name}/test', panel: 'hooks' },
  'hook pause': { route: 'POST /v1/hooks/{name}/pause', panel: 'hooks' },
  'hook resume': { route: 'POST /v1/hooks/{name}/resume', panel: 'hooks' },
  'hook remove': { route: 'DELETE /v1/hooks/{name}', panel: 'hooks' },
  export: {
    route: 'GET /v1/stations/{id}/observations',
    panel: 'page of a station',
    has: ['--station', '--format', '--from', '--to', '--variables', '--qc'],
  },
  import: {
    route: 'POST /v1/imports',
    panel: 'imports',
    // The questions of the plan ask for what a file does not say.
    has: IMPORT,
    lacks: {
      '--station-column': 'one file of one station at a time',
      '--restart': 'an import continues by itself',
      '--rejections': 'the panel lists the rejected rows',
      '--wait': 'the service checks the rows while it runs',
    },
  },
  imports: { route: 'GET /v1/imports', panel: 'imports', has: ['--limit'] },
  init: 'the machine',
  backup: 'files of the machine',
  restore: 'files of the machine',
  copy: 'files of the machine',
  compact: 'files of the machine',
  demo: 'the machine',
  variables: { route: 'GET /v1/variables', panel: 'page about the API' },
  units: { route: 'GET /v1/variables', panel: 'page about the API' },
  completion: 'the terminal',
};

interface Leaf {
  readonly name: string;
  readonly options: readonly string[];
}

function leavesOf(command: Command, path = ''): readonly Leaf[] {
  return command.commands.flatMap((one) => {
    const name = `${path} ${one.name()}`.trim();
    if (one.commands.length > 0) return leavesOf(one, name);
    return [{ name, options: one.options.map(({ long }) => long ?? '') }];
  });
}

/** Where the panel of imports has an option, unless a field has its name. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '--station': 'the form that sends the file',
  '--dry-run': 'the plan',
  '--undo': 'a button',
  '--map': 'the table of columns',
  '--leave-out': 'the table of columns',
  '--counter': 'the table of columns',
  '--amount': 'the table of columns',
  '--unit': 'the table of columns, or a question',
};

describe('commands', () => {
  const silent = new Terminal(Readable.from([]), new PassThrough(), new PassThrough());
  const program = makeProgram({ terminal: silent, version: '1', dataActions: () => ({}) } as never);
  const leaves = leavesOf(program);
  const { paths } = JSON.parse(
    readFileSync(new URL('../../../../docs/openapi-external.json', import.meta.url), 'utf8'),
  ) as { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> };

  it('have an answer in the browser, unless they belong to the machine', () => {
    expect(leaves.map(({ name }) => name)).to.have.members(Object.keys(ANSWERS));
    for (const [name, answer] of Object.entries(ANSWERS)) {
      if (typeof answer === 'string') continue;
      const [method = '', path = ''] = answer.route.split(' ');
      expect(paths[path], `${name}: ${answer.route}`).to.have.property(method.toLowerCase());
      if (!answer.panel.includes(' ')) expect(admin.sections, name).to.have.property(answer.panel);
    }
  });

  it('import: the form has a field for each option', () => {
    const fields = NAMES.map((name) => (name === 'header' ? 'no-header' : (name as string)));
    const options = fields.map((name) => `--${name.replaceAll('_', '-')}`);
    expect([...options, ...Object.keys(ELSEWHERE)]).to.have.members(IMPORT);
  });

  for (const { name, options } of leaves) {
    const answer = ANSWERS[name];
    if (answer === undefined || typeof answer === 'string') continue;
    it(`${name}: each option is a field of the panel, or there is a reason`, () => {
      const answered = [...(answer.has ?? []), ...Object.keys(answer.lacks ?? {})];
      expect(options.filter((option) => !TERMINAL.has(option))).to.have.members(answered);
    });
  }
});
