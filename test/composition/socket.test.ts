import { stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { loadConfig } from '#composition/config.js';
import { Workplace } from '../support/process.js';

/** Sends a request over a Unix domain socket. */
function ask(
  socketPath: string,
  path = '/v1/health/info',
  headers = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path, headers: { host: 'localhost', ...headers } }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    })
      .once('error', reject)
      .end();
  });
}

const FREE_PORT = { WEATHERD_EXTERNAL_PORT: '0' };

describe('the internal API on a Unix domain socket', () => {
  let place: Workplace;
  let path: string;
  beforeEach(async () => {
    place = await Workplace.make();
    path = join(place.folder, 'internal.sock');
  });
  afterEach(() => place.remove());
  const settings = () => ({ WEATHERD_INTERNAL_HOST: `unix:${path}`, WEATHERD_TRUSTED_PROXIES: '127.0.0.1' });

  it('is for its owner and group alone, answers, and is gone in the end', async () => {
    const served = await place.serve(settings());
    expect(served.greeting).to.contain(`unix:${path}`);
    const { mode } = await stat(path);
    expect(mode & 0o777).to.equal(0o660);
    expect((await ask(path)).status).to.equal(200);
    expect((await ask(path, '/v1/stations')).status).to.equal(200);
    const evil = await ask(path, '/v1/health/info', { host: 'evil.example' });
    expect([evil.status, evil.body]).to.satisfy(([status, body]: [number, string]) => {
      return status === 403 && body.includes('HOST_NOT_ALLOWED');
    });
    served.child.kill('SIGTERM');
    const { status, stdout } = await served.ended;
    expect(status).to.equal(0);
    expect(stdout).to.contain(`"internal":"unix:${path}"`);
    expect(await stat(path).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ENOENT');
  });

  it('takes the place of a socket that nobody listens on any more, and no other', async () => {
    const killed = await place.serve(settings());
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect((await stat(path)).isSocket()).to.equal(true);
    await place.serveHere(settings());
    expect((await ask(path)).status).to.equal(200);
    const second = await place.run(['serve'], '', {
      ...settings(),
      ...FREE_PORT,
      WEATHERD_DATA_DIR: join(place.folder, 'other'),
    });
    expect(second.status).to.equal(1);
    expect(second.stderr).to.contain(
      `The internal API cannot listen on unix:${path}: another program listens on this path, or the file is not a socket. ` +
        'Set WEATHERD_INTERNAL_HOST to another path.',
    );
    expect((await ask(path)).status).to.equal(200);
  });

  it('does not touch a file that is no socket', async () => {
    await writeFile(path, 'mine');
    const { status, stderr } = await place.run(['serve'], '', { ...settings(), ...FREE_PORT });
    expect(status).to.equal(1);
    expect(stderr).to.contain('the file is not a socket');
    expect((await stat(path)).size).to.equal(4);
  });

  it('is refused where it cannot be', () => {
    const faultOf = (values: Readonly<Record<string, string>>) => {
      try {
        loadConfig(undefined, values);
      } catch (error) {
        return (error as Error).message;
      }
      return 'none';
    };
    expect(faultOf({ WEATHERD_INTERNAL_HOST: 'unix:/run/weatherd.sock' })).to.equal('none');
    for (const wrong of ['unix:relative', 'unix:', `unix:/${'x'.repeat(103)}`]) {
      expect(faultOf({ WEATHERD_INTERNAL_HOST: wrong })).to.contain(
        'WEATHERD_INTERNAL_HOST: Must be the name of a host',
      );
    }
    expect(faultOf({ WEATHERD_EXTERNAL_HOST: 'unix:/run/x' })).to.contain('WEATHERD_EXTERNAL_HOST: Must be');
  });
});
