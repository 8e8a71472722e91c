import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeCertificate } from '../support/certificate.js';
import { ecowittGateway, type EcowittGateway } from '../support/devices/ecowitt.js';
import { eventually, Workplace } from '../support/process.js';
import { STATION } from '../support/weather-world.js';

describe('weatherd with sources', () => {
  let place: Workplace;
  let gateway: EcowittGateway;
  let isAway: boolean;

  beforeEach(async () => {
    isAway = false;
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
    gateway = await ecowittGateway({ replyOf: () => (isAway ? 'dead' : undefined) });
  });
  afterEach(async () => {
    await gateway.close();
    await place.remove();
  });

  const succeed = async (...parameters: string[]) => {
    const { status, stdout, stderr } = await place.run(parameters);
    expect(status, stderr).to.equal(0);
    return stdout;
  };
  const add = (...options: string[]) =>
    succeed(
      'source',
      'add',
      'roof',
      '--kind',
      'ecowitt',
      '--station',
      'JFK',
      '--address',
      gateway.address,
      ...options,
    );

  it('stores what a device reports, follows commands, and says in its health that the device is away', async () => {
    const service = await place.serveHere();
    await add('--every', '10s');
    const newest = async () => {
      const response = await fetch(`${service.externalUrl}/v1/stations/JFK/observations/latest`);
      return await response.text();
    };
    await eventually(newest, (text) => text.includes('"air_temperature"'));
    expect(await newest()).to.contain('27.7');
    isAway = true;
    const checks = async () => await (await fetch(`${service.internalUrl}/v1/health/checks`)).text();
    await eventually(checks, (text) => text.includes('The source roof has given no report since'));
    expect(await succeed('source', 'list')).to.match(
      /^SOURCE +KIND +STATION +LAST REPORT +STATE\nroof +ecowitt +JFK +\S+Z +silent since \S+Z: The source closed the connection before it answered\.\n$/,
    );
    isAway = false;
    await eventually(checks, (text) => !text.includes('The source roof'));
    await succeed('source', 'remove', 'roof');
    expect(await place.stopService(service)).to.equal(true);
  });

  it('reads a device with a certificate of its own once this is named, and says so before', async () => {
    const [cert, key] = makeCertificate(place.folder);
    const state = { entity_id: 'sensor.garden', state: '4.1', attributes: { unit_of_measurement: '°C' } };
    const home = createServer({ cert, key }, (_request, response) => response.end(JSON.stringify(state)));
    await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', () => resolve()));
    const { port } = home.address() as AddressInfo;
    const file = join(place.folder, 'home.key');
    writeFileSync(file, 'token=of-a-test\n');
    const addFrom = async (url: string, isTrusted: boolean) => {
      const options = ['--url', url, '--secret-file', file, '--map', 'sensor.garden=air_temperature'];
      const command = ['source', 'add', 'home', '--kind', 'home-assistant', '--station', 'JFK', ...options];
      if (!isTrusted) return await place.run(command);
      // Node.js reads this variable only when a process starts.
      const settings = {
        NODE_EXTRA_CA_CERTS: join(place.folder, 'cert.pem'),
        WEATHERD_DATA_DIR: place.dataDir,
      };
      return await place.runProcess(command, '', settings);
    };
    try {
      const outcomes = [
        await addFrom(`https://localhost:${port}`, false),
        await addFrom(`https://127.0.0.1:${port}`, true),
        await addFrom(`https://localhost:${port}`, true),
      ];
      expect(outcomes.map(({ status, stderr }) => (status === 0 ? 'added' : stderr))).to.deep.equal([
        'weatherd: The certificate of the source is not signed by a known authority.\n',
        'weatherd: The certificate of the source is for another name.\n',
        'added',
      ]);
    } finally {
      home.closeAllConnections();
      await new Promise<void>((resolve) => home.close(() => resolve()));
    }
  });

  it('looks for devices without changing the data, and says nothing else', async () => {
    const { stdout, stderr } = await place.run([
      'source',
      'find',
      '--address',
      '127.0.0.1',
      '--seconds',
      '1',
    ]);
    expect(stdout).to.equal('No device answered within 1 s.\n');
    expect(stderr).to.equal('');
  });

  it('has commands that ask once, print what would be stored, and change nothing after bad input', async () => {
    const refused = async (...parameters: string[]) => {
      const { status, stderr } = await place.run(['source', ...parameters]);
      expect(status, stderr).to.be.oneOf([1, 2]);
      expect(await succeed('source', 'list')).to.equal(
        'There are no sources. "weatherd source add --help" shows how to add one.\n',
      );
      return stderr;
    };
    const device = ['add', 'roof', '--station', 'JFK', '--kind'];
    expect(await refused(...device, 'ecowit', '--address', gateway.address)).to.contain(
      'Did you mean ecowitt?',
    );
    expect(await refused(...device, 'ecowitt', '--address', '127.0.0.1:1')).to.equal(
      'weatherd: The source refused the connection.\n',
    );
    expect(await refused(...device, 'ecowitt', '--address', '8.8.8.8')).to.contain('has no private address');
    expect(await refused(...device, 'shelly', '--address', gateway.address)).to.match(
      /^weatherd: [^\n]+\.\n$/,
    );
    const file = join(place.folder, 'secrets');
    writeFileSync(file, 'password=wrong\nnothing\n');
    const badFile = await refused(...device, 'ecowitt', '--address', gateway.address, '--secret-file', file);
    expect(badFile).to.contain('line 2 is not "name=value"').and.not.contain('nothing');

    await add();
    const asked = gateway.requests.length;
    expect(await succeed('source', 'test', 'roof'))
      .to.contain('JFK at ')
      .and.match(/air_temperature +27\.7 +°C/)
      .and.contain('--map FIELD=VARIABLE');
    expect(gateway.requests.length).to.be.greaterThan(asked);
    const soil = 'ch_soil_1_humidity=volume_fraction_of_condensed_water_in_soil_pores:1*0.01';
    await succeed('source', 'set', 'roof', '--every', '5min', '--map', soil);
    expect(await succeed('source', 'test', 'roof')).to.match(
      /volume_fraction_of_condensed_water_in_soil_pores +0\.56 +1\n/,
    );
    await succeed('source', 'pause', 'roof');
    const [listed] = JSON.parse(await succeed('source', 'list', '--json')) as readonly object[];
    expect(listed).to.include({ name: 'roof', every: 300, paused: true, address: gateway.address });
    await succeed('source', 'resume', 'roof');
    expect(await succeed('source', 'fill', 'roof', '--dismiss')).to.equal(
      'Dismissed 0 gaps of the source roof.\n',
    );
    for (const options of [[], ['--from', '2026-11-01'], ['--dismiss', '--to', '2026-11-02']])
      expect((await place.run(['source', 'fill', 'roof', ...options])).status).to.be.oneOf([1, 2]);
    await succeed('source', 'remove', 'roof');
    expect(await succeed('audit'))
      .to.contain('source-add')
      .and.contain('source-remove');
  });
});
