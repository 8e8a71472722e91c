import { expect } from 'chai';
import { readSecret } from '#domain/secret-text.js';
import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import { runIn } from '../../../support/command-line.js';
import { addPendingSender } from '../../../support/service-endpoints.js';
import { addStation } from '../../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../../support/world.js';

interface MadeKey {
  readonly key: string;
  readonly station: string;
  readonly number: number;
  readonly note: string;
  readonly endpoints: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly string[];
}

const LOCAL: UploadReach = {
  ...UPLOAD_REACH(),
  uploads: { enabled: true, host: '127.0.0.1', port: 8099, loopback: true },
};

async function makeWorld(): Promise<World> {
  const world = await World.make();
  for (const id of ['garden', 'roof']) await addStation(world, { id });
  return world;
}

describe('weatherd upload-key', () => {
  let world: World;
  before(async () => (world = await makeWorld()));

  const run = (...parameters: string[]) => runIn(world, ['upload-key', ...parameters], LOCAL);
  const made = async (...parameters: string[]) =>
    JSON.parse((await run(...parameters, '--json')).stdout) as MadeKey;

  it('add prints the key once, and what to type into each make', async () => {
    const { status, stdout, stderr } = await run('add', '--station', 'garden', '--note', 'shed');
    expect(status).to.equal(0);
    const [, secret = ''] =
      /^Upload key \d+ of garden\. The secret is displayed only now:\n\n {4}(\w{26})\n/.exec(stdout) ?? [];
    expect(readSecret(secret)).to.equal(secret);
    expect(stdout).to.contain(`    path      /u/${secret}/\n    port      8099\n`);
    expect(stdout)
      .to.contain('[[Wunderground]]')
      .and.to.contain('Note: The port for uploads listens on 127.0.0.1');
    expect(stderr).to.equal('Changed the data in the world\n');
    const { stdout: listed } = await run('list', '--station', 'garden');
    expect(listed).to.match(/^KEY {2}STATION {2}MADE .*\n\d+ {4}garden .*secret {2}0 {9}shed\n$/);
    expect(listed).not.to.contain(secret);
  });

  it('add --json has the key, the station and the endpoints', async () => {
    const { key, station, endpoints, warnings } = await made('add', '--station', 'roof');
    expect([readSecret(key), station]).to.deep.equal([key, 'roof']);
    expect(endpoints.length).to.be.greaterThan(10);
    expect(endpoints[0]).to.include({ server: '127.0.0.1', port: 8099, path: `/u/${key}/`, interval: 60 });
    expect(warnings).to.have.length(1);
  });

  it('add --make prints only some makes, and says where none has the name', async () => {
    const { endpoints } = await made('add', '--station', 'roof', '--make', 'weewx');
    expect(endpoints.map(({ make }) => String(make).slice(0, 5))).to.deep.equal(['WeeWX', 'WeeWX']);
    expect((await run('add', '--station', 'roof', '--make', 'abacus')).stdout).to.contain(
      'No console profile contains "abacus" in its name.',
    );
  });

  it('add --host gives the address as the sender has it', async () => {
    const host = ['--host', 'weather.lan'];
    const { stdout } = await runIn(world, ['upload-key', 'add', '--station', 'garden', ...host, '--json']);
    const { endpoints, warnings } = JSON.parse(stdout) as MadeKey;
    expect(endpoints[0]).to.include({ server: 'weather.lan' });
    expect(warnings.join()).to.match(
      /^The rain of key \d+ is not stored, because key \d+ stores [^,]*, [^,]*$/,
    );
  });

  it('add says that the port for uploads is off', async () => {
    const off = { ...LOCAL, uploads: { ...LOCAL.uploads, enabled: false } };
    const { stdout } = await runIn(world, ['upload-key', 'add', '--station', 'garden', '--json'], off);
    expect((JSON.parse(stdout) as MadeKey).warnings.join()).to.contain('WEATHERD_UPLOADS_ENABLED=true');
  });

  it('rotate gives a new key with the same number; revoke ends it', async () => {
    const { number, key } = await made('add', '--station', 'garden');
    const rotated = await run('rotate', String(number), '--overlap', '60');
    expect(rotated.stdout)
      .to.match(new RegExp(`^Upload key ${number} of garden`))
      .and.not.to.contain(key);
    expect(rotated.stdout).to.match(/The replaced secret is accepted until \d{4}-/);
    expect(await run('revoke', String(number))).to.include({
      status: 0,
      stdout: `Revoked upload key ${number}.\n`,
    });
    expect((await run('list')).stdout).not.to.match(new RegExp(`^${number} `, 'm'));
  });

  it('has a clear line for each mistake, and changes nothing then', async () => {
    const before = await run('list');
    for (const [parameters, status, text] of [
      [['add'], 2, '--station'],
      [
        ['add', '--station', 'none'],
        1,
        'weatherd: There is no station "none". "weatherd station list" shows the stations.\n',
      ],
      [['add', '--station', 'garden', '--note', 'a\tb'], 1, 'weatherd: A note has'],
      [['add', '--station', 'garden', '--gauge', 'bucket'], 2, 'Allowed choices are'],
      [['list', '--station', 'none'], 1, 'There is no station "none"'],
      [['revoke', '999'], 1, 'There is no upload key 999.'],
      [
        ['rotate', '999'],
        1,
        'weatherd: There is no upload key 999. "weatherd upload-key list" shows the keys.\n',
      ],
      [['rotate', '1', '--overlap', 'week'], 2, 'whole number of seconds'],
      [['revoke', 'garden'], 2, 'number of a key'],
    ] as const) {
      const finished = await run(...parameters);
      expect(finished.status, parameters.join(' ')).to.equal(status);
      expect(finished.stderr, parameters.join(' ')).to.contain(text);
      expect(finished.stdout).to.equal('');
    }
    expect(await run('list')).to.deep.equal(before);
  });
});

describe('weatherd upload map', () => {
  let world: World;
  before(async () => {
    world = await makeWorld();
    await runIn(world, ['upload-key', 'add', '--station', 'garden']);
  });

  const map = (...parameters: string[]) => runIn(world, ['upload', 'map', '1', ...parameters]);
  /** The mappings after the last change, as the audit trail has them. */
  const mappings = async () => (await runIn(world, ['audit', '--limit', '1'])).stdout;

  it('adds mappings to those that the key has, replaces and removes them', async () => {
    expect(await map('temp3f=soil_temperature:°F', '--offset', '-0.4')).to.include({
      status: 0,
      stdout: 'Upload key 1 has 1 mapped field(s).\n',
    });
    expect(await mappings()).to.contain(
      '"field":"temp3f","variable":"soil_temperature","unit":"°F","offset":-0.4',
    );
    await map('temp1f=air_temperature', '--station', 'roof');
    expect((await map('lightning_num=lightning_strike_count', '--counter')).stdout).to.contain('3 mapped');
    await map('temp3f=soil_temperature:°F', '--scale', '2');
    expect(await mappings())
      .to.contain('"scale":2')
      .and.to.contain('"station":"roof"')
      .and.not.to.contain('-0.4');
    expect((await map('--remove', 'temp3f', '--remove', 'temp1f')).stdout).to.contain('1 mapped');
    expect((await map('--wind-unit', 'm/s', '--gauge', 'auto')).stdout).to.contain('1 mapped');
  });

  it('has a clear line for each mistake', async () => {
    for (const [parameters, status, text] of [
      [[], 2, 'give a field to map'],
      [['temp3f'], 2, 'FIELD=VARIABLE'],
      [['temp3f=warmth'], 1, 'There is no variable "warmth".'],
      [['temp3f=soil_temperature:hPa'], 1, 'hPa'],
      [['temp3f=soil_temperature', '--station', 'none'], 1, 'There is no station "none".'],
      [['temp3f=soil_temperature', '--scale', 'two'], 2, 'a number'],
      [['--remove', 'temp9f'], 1, 'The field "temp9f" is not mapped.'],
    ] as const) {
      const { status: found, stderr } = await map(...parameters);
      expect(found, parameters.join(' ')).to.equal(status);
      expect(stderr, parameters.join(' ')).to.contain(text);
    }
  });
});

describe('weatherd upload', () => {
  let world: World;
  before(async () => {
    world = await makeWorld();
    await runIn(world, ['upload-key', 'add', '--station', 'garden']);
  });

  const run = (...parameters: string[]) => runIn(world, ['upload', ...parameters]);

  it('pending lists a sender without a key, and approve makes a weak key for it', async () => {
    expect((await run('pending')).stdout).to.equal('There are no senders without a key.\n');
    const id = await addPendingSender(world);
    const { stdout, stderr } = await run('pending');
    expect(stdout).to.contain(id).and.to.contain('WS-2902').and.to.contain('air_temperature 54.1 °F');
    expect(stderr).to.equal('');
    const approved = await run('approve', id, '--station', 'roof', '--note', 'shed');
    expect(approved.stdout).to.contain('Approved as upload key 2 of roof.').and.to.contain('weak');
    expect((await runIn(world, ['upload-key', 'list'])).stdout).to.match(/^2 +roof .* weak +0 +shed$/m);
    expect((await run('pending')).stdout).to.equal('There are no senders without a key.\n');
  });

  it('status shows all keys, or everything about one', async () => {
    expect((await run('status')).stdout)
      .to.match(/^1 +garden +- /m)
      .and.to.contain('no upload has arrived so far');
    expect((await run('status', '1')).stdout).to.match(/^station +garden$/m);
  });

  it('has a clear line for each mistake', async () => {
    for (const [parameters, status, text] of [
      [['approve', 'nobody', '--station', 'garden'], 1, 'There is no pending sender "nobody".'],
      [['approve', 'nobody'], 2, '--station'],
      [['approve', await addPendingSender(world), '--station', 'none'], 1, 'There is no station "none".'],
      [['status', '9'], 1, 'There is no upload key 9.'],
      [['status', 'garden'], 2, 'number of a key'],
      [['map', '9', 'a=air_temperature'], 1, 'There is no upload key 9.'],
    ] as const) {
      const finished = await run(...parameters);
      expect(finished.status, parameters.join(' ')).to.equal(status);
      expect(finished.stderr, parameters.join(' ')).to.contain(text);
    }
  });
});
