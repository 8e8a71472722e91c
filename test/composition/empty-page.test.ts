import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { isLocalVisitor } from '#adapters/site/local-visitor.js';
import { loadConfig } from '#composition/config.js';
import { serviceCommand } from '#composition/settings/terminal-command.js';
import { Workplace } from '../support/process.js';

describe('visitors on the machine of the service', () => {
  for (const [host, header, expected] of [
    ['localhost:8080', undefined, true],
    ['127.0.0.1', undefined, true],
    ['127.9.0.1:80', undefined, true],
    ['[::1]:8080', undefined, true],
    ['weather.example.org', undefined, false],
    ['127.0.0.1.example.org', undefined, false],
    ['192.168.1.2:8080', undefined, false],
    [undefined, undefined, false],
    ['localhost', 'x-forwarded-for', false],
    ['localhost', 'forwarded', false],
    ['localhost', 'via', false],
    ['localhost', 'x-real-ip', false],
  ] as const)
    it(`${expected ? 'ask' : 'do not ask'} ${host ?? 'without a host'}${header === undefined ? '' : ` with ${header}`}`, () => {
      const headers = { ...(host !== undefined && { host }), ...(header !== undefined && { [header]: 'x' }) };
      expect(isLocalVisitor(headers)).to.equal(expected);
    });
});

describe('the command line of a service', () => {
  const commandOf = (variables: readonly string[], file?: string, folder = resolve('data')) =>
    serviceCommand(loadConfig(undefined, { WEATHERD_DATA_DIR: folder }), { variables }, file);

  it('has what tells where the data are, and no value of a variable that may hold a password', () => {
    const plain = commandOf([]);
    expect(plain).to.match(/^node \S+weatherd\.mjs$/);
    expect(commandOf([], '/etc/my weather.json')).to.equal(`${plain} --config '/etc/my weather.json'`);
    expect(commandOf([], undefined, '/srv/weather')).to.equal(`WEATHERD_DATA_DIR=/srv/weather ${plain}`);
    expect(commandOf(['WEATHERD_LOG_LEVEL', 'WEATHERD_DATABASE_URL'])).to.equal(
      `WEATHERD_DATABASE_URL=… ${plain}`,
    );
  });
});

describe('the page of an empty service', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
  });
  afterEach(() => place.remove());

  const page = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<string>((done, failed) => {
      get(url, { headers: { accept: 'text/html', ...headers } }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        reply.on('end', () => done(text));
      }).on('error', failed);
    });

  it('has commands for the data of the service, and tells strangers no paths', async () => {
    const file = join(place.folder, 'weatherd.json');
    writeFileSync(file, JSON.stringify({ log: { level: 'warn' } }));
    const { external } = await place.serve({}, ['--config', file]);
    const local = await page(external);
    for (const command of ['demo', 'import', 'upload-key add', 'user add ada --administrator'])
      expect(local).to.contain(`--config ${file} ${command}`);
    for (const headers of [{ host: 'weather.example.org' }, { 'x-forwarded-for': '192.0.2.1' }]) {
      const elsewhere = await page(external, headers);
      expect(elsewhere).to.contain('<code>weatherd demo</code>').and.not.contain(place.folder);
    }
  });

  it('does not suggest sign-in where only reading is possible', async () => {
    const settings = { WEATHERD_EXTERNAL_HOST: '0.0.0.0', WEATHERD_EXTERNAL_INSECURE: 'true' };
    const service = await place.serveHere(settings);
    const text = await page(service.externalUrl.replace('0.0.0.0', '127.0.0.1'));
    expect(text).to.contain('<code>weatherd demo</code>');
    expect(text).not.to.match(/administrator|Sign in|user add/);
  });
});
