import { expect } from 'chai';
import { digestAuthorization } from '#adapters/source-kinds/reading/digest.js';
import { shelly } from '#adapters/source-kinds/shelly.js';
import type { SourceReport } from '#application/ports/source-kind.js';
import { askedDevice } from '../../support/devices/asked-device.js';
import { failureOf } from '../../support/devices/failure.js';
import type { HttpDevice } from '../../support/devices/http-device.js';
import { shellyDevice, STATUS } from '../../support/devices/shelly.js';

describe('Shelly', () => {
  const devices: HttpDevice[] = [];
  afterEach(async () => {
    await Promise.all(devices.splice(0).map((device) => device.close()));
  });

  const start = async (options?: Parameters<typeof shellyDevice>[0]) => {
    const device = await shellyDevice(options);
    devices.push(device);
    return device;
  };
  const ask = async (options?: Parameters<typeof shellyDevice>[0]) => {
    const { address } = await start(options);
    const [report] = (await shelly.ask?.(askedDevice({ address }))) ?? [];
    return report as SourceReport;
  };

  it('gives its own sensors as readings, and those of an add-on and of other devices as fields', async () => {
    const report = await ask();
    expect(report.time).to.equal(undefined);
    expect(report.runtime).to.equal(4711);
    expect(report.readings).to.deep.equal([
      { field: 'temperature:0', variable: 'air_temperature', unit: '°C', value: 19.8 },
      { field: 'humidity:0', variable: 'relative_humidity', unit: '%', value: 42.2 },
    ]);
    expect(report.fields).to.deep.equal([
      { name: 'temperature:100', value: 4.3, unit: '°C' },
      { name: 'humidity:100', value: 88.1, unit: '%' },
      { name: 'voltmeter:100', value: 3.14 },
      { name: 'illuminance:0', value: 120 },
      { name: 'bthomesensor:200', value: 1013.2 },
    ]);
    expect(report.sensors).to.deep.equal([
      { sensor: 'devicepower:0', batteryPercent: 88, batteryVoltage: 5.1 },
      { sensor: 'wifi', signal: -61 },
    ]);
  });

  it('is read whatever is null, new or of another type', async () => {
    const report = await ask({
      status: {
        'temperature:0': { id: 0, tC: null, tF: null, errors: ['read'] },
        'humidity:0': { id: 0, rh: '42' },
        'humidity:1': null,
        'devicepower:0': { id: 0, battery: { V: null, percent: null } },
        'new:0': { value: 1 },
        wifi: { rssi: 0 },
        sys: { mac: 'A8032ABE54DC' },
      },
    });
    expect(report).to.deep.equal({ time: undefined, readings: [], fields: [], sensors: [] });
  });

  it('gets its password by digest authentication', async () => {
    const { address, requests } = await start({ password: 'secret' });
    const device = askedDevice({ address, secrets: { password: 'secret' } });
    expect((await shelly.ask?.(device))?.[0]?.readings).to.have.lengthOf(2);
    expect(JSON.stringify(requests)).not.to.contain('secret');
    expect(await failureOf(shelly.ask?.(askedDevice({ address })))).to.include({
      message: 'The device wants a password: put "password=…" into the file with secrets.',
      needsOwner: true,
    });
    const wrong = askedDevice({ address, secrets: { password: 'wrong' } });
    expect(await failureOf(shelly.ask?.(wrong))).to.include({ needsOwner: true });
  });

  it('answers the challenge of the example in RFC 7616', () => {
    const challenge =
      'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, ' +
      'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
    const request = { user: 'Mufasa', password: 'Circle of Life', method: 'GET', path: '/dir/index.html' };
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
    expect(digestAuthorization(challenge, request, cnonce)).to.contain(
      'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
    );
  });

  it('is not asked with an authentication that it does not describe fully', async () => {
    const challenges = [
      'Basic realm="x"',
      'Digest realm="x", nonce="1", qop="auth", algorithm=MD5',
      'Digest qop="auth"',
      'Digest realm="x", nonce="1", qop="auth-int", algorithm=SHA-256',
      '',
    ];
    for (const challenge of challenges) {
      const { address, requests } = await start({ password: 'secret', challenge });
      const device = askedDevice({ address, secrets: { password: 'secret' } });
      expect((await failureOf(shelly.ask?.(device))).message, challenge).to.contain('does not know');
      expect(requests).to.have.lengthOf(1);
    }
  });

  describe('fails with one sentence', () => {
    const cases: readonly (readonly [string, Parameters<typeof shellyDevice>[0], RegExp])[] = [
      [
        'for a Shelly of the first generation',
        { reply: { status: 404, body: 'Not Found' } },
        /second generation/,
      ],
      ['for another device', { status: { data: null, error: { code: 404 } } }, /not the status of a Shelly/],
      ['for a page', { reply: { body: '<html>' } }, /is not JSON/],
      ['for an error', { reply: { status: 503, body: '' } }, /status 503/],
      ['if it dies in its reply', { reply: { body: STATUS, dieAfter: 40 } }, /in the middle/],
      ['if it dies before its reply', { reply: 'dead' }, /closed the connection/],
    ];
    for (const [title, options, message] of cases)
      it(title, async () => {
        const { address } = await start(options);
        expect((await failureOf(shelly.ask?.(askedDevice({ address })))).message).to.match(message);
      });
  });
});
