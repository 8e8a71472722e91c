import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { JFK } from '../contracts/stores/station-store.js';
import { ADMINISTRATOR, elevatedToken, PASSWORD, repliesTo } from '../support/golden-replies.js';
import { eventually, type Served, signIn, statusOf, Workplace } from '../support/process.js';

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

const OPENAPI = JSON.parse(
  readFileSync(new URL('../../../docs/openapi-external.json', import.meta.url), 'utf8'),
) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** Routes that write nothing, or for which more than a request is needed first. */
const NOT_TRIED: Readonly<Record<string, string>> = {
  'post /v1/alarms/{name}/test': 'sends a message only',
  'post /v1/hooks/{name}/test': 'sends a message only',
  'put /v1/sources/{name}': 'asks a device first',
  'post /v1/sources/{name}/test': 'asks a device only',
  'delete /v1/sources/{name}/gaps': 'needs a source with a gap',
  'put /v1/forecasts/{id}': 'lets the service ask a provider outside of this machine',
  'delete /v1/forecasts/{id}': 'needs an order, as above',
  'post /v1/uploads/pending/{id}/approve': 'needs a console that has sent something',
  'post /v1/setup': 'creates only the first administrator, and only if the service has pages',
  'post /v1/imports': 'has tests of its own, because it is refused with 507',
  'put /v1/imports/{id}/answers': 'needs a received file',
  'post /v1/imports/{id}/undo': 'needs an import',
  'delete /v1/imports/{id}': 'needs a received file',
  'delete /v1/sessions/{id}': 'has tests of its own',
  'delete /v1/users/{name}/sessions': 'has tests of its own',
  'post /v1/auth/revoke/': 'has tests of its own',
  'post /v1/auth/drop/': 'has tests of its own',
};

/** What the routes name, and their queries. */
const PATHS: Readonly<Record<string, string>> = {
  'post /v1/stations/{id}/restore': '/v1/stations/removed/restore',
  'delete /v1/stations/{id}/observations':
    '/v1/stations/JFK/observations?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  'put /v1/users/{name}': '/v1/users/grace',
  'delete /v1/users/{name}': '/v1/users/bob',
  'put /v1/alarms/{name}': '/v1/alarms/new',
  'post /v1/hooks/{name}/resume': '/v1/hooks/paused/resume',
  'post /v1/sources/{name}/resume': '/v1/sources/paused/resume',
};

/** Replies that show everything that the routes change. */
const STATE = [
  '/v1/users',
  '/v1/stations',
  '/v1/stations/JFK',
  '/v1/stations/JFK/overrules',
  '/v1/stations/JFK/observations?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  '/v1/retention',
  '/v1/upload-keys',
  '/v1/alarms',
  '/v1/hooks',
  '/v1/sources',
];

describe('a service whose disk is full', function () {
  if (process.platform !== 'linux') return;
  let place: Workplace;
  let served: Served;
  let token: string;
  let override: string;

  const limitFiles = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(served.child.pid), `--fsize=${bytes}:unlimited`]);
  const send = async (method: string, path: string, body?: object, bearer = token) => {
    const reply = await fetch(`${served.external}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  };
  const done = async (...request: Parameters<typeof send>) => {
    const { status, body } = await send(...request);
    expect(status, JSON.stringify(body)).to.be.below(300);
    return body;
  };
  const exampleOf = (method: string, path: string) =>
    Object.values(OPENAPI.paths[path]?.[method]?.requestBody?.content ?? {})[0]?.example;
  const pathOf = (route: string, path: string) =>
    PATHS[route] ??
    path
      .replace('{overrule}', override)
      .replace('{name}', 'known')
      .replace('{id}', path.includes('upload') ? '1' : 'JFK');
  const userToken = async () =>
    (await signIn(served.external, { username: 'bob', email: null, password: PASSWORD })).body.token ?? '';

  before(async () => {
    place = await Workplace.make();
    await place.makeData({}, [
      { ...JFK, id: 'JFK' },
      { ...JFK, id: 'removed' },
    ]);
    for (const user of [[ADMINISTRATOR, '--administrator'], ['bob']])
      expect((await place.run(['user', 'add', ...user], PASSWORD)).status).to.equal(0);
    served = await place.serve({ WEATHERD_SITE: 'false', WEATHERD_READ_ACCESS: 'token' });
    token = await elevatedToken(served.external);
    const observations = '/v1/stations/{id}/observations';
    await done('POST', '/v1/stations/JFK/observations', exampleOf('post', observations));
    const overrides = '/v1/stations/{id}/overrules';
    await done('POST', '/v1/stations/JFK/overrules', exampleOf('post', overrides));
    await done('PUT', '/v1/alarms/known', exampleOf('put', '/v1/alarms/{name}'));
    await done('PUT', '/v1/hooks/known', exampleOf('put', '/v1/hooks/{name}'));
    await done('PUT', '/v1/hooks/paused', exampleOf('put', '/v1/hooks/{name}'));
    await done('POST', '/v1/hooks/paused/pause');
    // A hub that sends by itself is not asked when it is added.
    const hub = { kind: 'tempest', station: 'JFK', device: 'ST-99999999' };
    await done('PUT', '/v1/sources/known', hub);
    await done('PUT', '/v1/sources/paused', hub);
    await done('POST', '/v1/sources/paused/pause');
    await done('POST', '/v1/upload-keys', exampleOf('post', '/v1/upload-keys'));
    await done('DELETE', '/v1/stations/removed');
    const listed = (await done('GET', '/v1/stations/JFK/overrules')) as { overrules: { id: string }[] };
    override = listed.overrules[0]?.id ?? '';
  });
  after(() => place.remove());

  const fill = () => limitFiles(statSync(`${place.dataFile}-wal`).size);
  const empty = async () => {
    limitFiles('unlimited');
    await eventually(
      () => statusOf(`${served.internal}/v1/health/liveliness`),
      (status) => status === 200,
    );
  };

  afterEach(() => served.child.exitCode ?? empty());

  it('answers each write with 503 in plain words, does no half of it, and does it when there is space', async () => {
    const before = await repliesTo(served.external, token, STATE);
    expect(before.map(({ status }) => status)).to.deep.equal(before.map(() => 200));
    const basic = await userToken();
    fill();
    const wrong: unknown[] = [];
    let tried = 0;
    for (const [path, operations] of Object.entries(OPENAPI.paths)) {
      for (const method of Object.keys(operations).filter((name) => name !== 'get')) {
        const route = `${method} ${path}`;
        if (route in NOT_TRIED) continue;
        tried += 1;
        const { status, body } = await send(
          method.toUpperCase(),
          pathOf(route, path),
          exampleOf(method, path),
          path.endsWith('elevate/') ? basic : token,
        );
        const isClear = /cannot be written/.test(String(body['message'])) && body['success'] === false;
        if (status !== 503 || !isClear) wrong.push([route, status, body]);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(tried).to.be.above(18);
    expect(await repliesTo(served.external, token, STATE)).to.deep.equal(before);
    await empty();
    expect(await repliesTo(served.external, token, STATE)).to.deep.equal(before);
    await done('POST', '/v1/stations/JFK/overrules', exampleOf('post', '/v1/stations/{id}/overrules'));
  });

  for (const scope of ['session', 'all'] as const) {
    it(`ends a session at once, and for good: ${scope}`, async () => {
      const [one, other] = [await userToken(), await userToken()];
      const isValid = async (bearer: string) =>
        (await send('GET', '/v1/stations', undefined, bearer)).status === 200;
      const stored = async () => {
        const { stdout } = await place.run(['session', 'list', 'bob']);
        return stdout.split('\n').filter((line) => line.includes('bob')).length;
      };
      const [before, isAll] = [await stored(), scope === 'all'];
      fill();
      await done('POST', '/v1/auth/revoke/', { scope }, one);
      expect([await isValid(one), await isValid(other)]).to.deep.equal([false, !isAll]);
      expect(await stored()).to.equal(before);
      await empty();
      await eventually(stored, (count) => count === (isAll ? 0 : before - 1));
      expect([await isValid(one), await isValid(other)]).to.deep.equal([false, !isAll]);
    });
  }

  it('ends an elevation at once, and for good', async () => {
    const elevated = await elevatedToken(served.external);
    const isElevated = async () => (await send('GET', '/v1/users', undefined, elevated)).status === 200;
    expect(await isElevated()).to.equal(true);
    fill();
    await done('POST', '/v1/auth/drop/', undefined, elevated);
    expect(await isElevated()).to.equal(false);
    await empty();
    expect(await isElevated()).to.equal(false);
    served.child.kill('SIGTERM');
    expect((await served.ended).status).to.equal(0);
    const { stdout } = await place.run(['audit']);
    // Its event too is stored once there is space.
    expect(stdout).to.match(/ drop .*ada/);
  });
});
