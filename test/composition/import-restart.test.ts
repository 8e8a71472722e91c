import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AddUser } from '#application/accounts/users/add-user.js';
import { loadConfig } from '#composition/config.js';
import { openApplication } from '#composition/container.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { eventually, signIn, Workplace } from '../support/process.js';
import { STATION } from '../support/weather-world.js';

const PASSWORD = 'correct horse';
const ROWS = 60_000;

describe('imports over HTTP in a running service', () => {
  let place: Workplace;

  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
    const settings = { WEATHERD_DATA_DIR: place.dataDir };
    const application = await openApplication(loadConfig(undefined, settings), () => undefined);
    const user = { name: 'root', email: null, password: PASSWORD, administrator: true };
    await application.container.get(AddUser).execute(user, COMMAND_LINE);
    await application.close();
  });
  afterEach(() => place.remove());

  it('continue where a killed service stopped, and write nothing twice, also with worker processes', async () => {
    const settings = { WEATHERD_SITE: 'false', WEATHERD_WORKERS: '2' };
    let served = await place.serve(settings);
    const credentials = { username: 'root', email: null, password: PASSWORD };
    const { token } = (await signIn(served.external, credentials)).body;
    const call = async (method: string, path: string, body?: string, bearer = token) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const response = await fetch(served.external + path, { method, headers, ...(body && { body }) });
      return (await response.json()) as {
        token: string;
        import: { state: string } & string;
        [name: string]: unknown;
      };
    };
    const elevated = (await call('POST', '/v1/auth/elevate/', JSON.stringify({ password: PASSWORD }))).token;
    const line = (row: number) => `${1_300_000_000 + row * 60},${row % 40}\n`;
    const file = `time,air_temperature\n1299999940,warm\n${Array.from({ length: ROWS }, (_, row) => line(row)).join('')}`;
    const { import: id } = await call('POST', '/v1/imports?station=JFK&filename=a.csv', file, elevated);
    const job = async () => (await call('GET', `/v1/imports/${id}`)).import as unknown as Job;
    await eventually(job, ({ state }) => state === 'ready');
    const refused = await call('POST', '/v1/imports?station=JFK&filename=b.csv', file, elevated);
    expect(refused['error']).to.equal('IMPORT_RUNNING');
    const options = { time_format: ['unix'] };
    await call('PUT', `/v1/imports/${id}/answers`, JSON.stringify({ options, confirm: true }));
    await eventually(job, ({ progress, state }) => progress.line > 8000 || state === 'done');
    served.child.kill('SIGKILL');
    await served.ended;
    served = await place.serve(settings);
    const done = await eventually(job, ({ state }) => state !== 'writing' && state !== 'planning');
    expect(done).to.include({ state: 'done', number: 1, error: null });
    expect(done.continued_after).to.be.within(8000, ROWS);
    expect(done.counts.inserted).to.be.at.most(ROWS + 2 - (done.continued_after ?? 0));
    expect(done.rejections.map(({ line: at }) => at)).to.deep.equal([2]);
    const { imports } = (await call('GET', '/v1/imports')) as unknown as { imports: { rows: number }[] };
    expect(imports.map(({ rows }) => rows)).to.deep.equal([ROWS]);
    await call('POST', `/v1/imports/${id}/undo`, undefined, elevated);
    await eventually(job, ({ state }) => state === 'undone');
    const { stdout } = await place.run(['station', 'show', 'JFK']);
    expect(stdout).to.match(/^observations +0$/m);
    // A file that was still arriving when the service was killed is gone after the next start.
    const folder = join(place.dataDir, 'imports');
    expect(existsSync(folder) && readdirSync(folder)).to.deep.equal([id]);
  });
});

interface Job {
  readonly state: string;
  readonly number: number | null;
  readonly error: unknown;
  readonly continued_after: number | null;
  readonly rejections: readonly { readonly line: number }[];
  readonly counts: { readonly inserted: number };
  readonly progress: { readonly line: number };
}
