import { expect } from 'chai';
import { tempestCloud } from '#adapters/source-kinds/tempest-cloud.js';
import type { Span } from '#application/ports/source-kind.js';
import { askedDevice } from '../../support/devices/asked-device.js';
import { failureOf } from '../../support/devices/failure.js';
import { OBSERVED, type TempestService, tempestService, TOKEN } from '../../support/devices/tempest.js';

const DAY = 86_400;

interface Asked {
  readonly span?: Span;
  readonly token?: string;
  readonly account?: string;
  readonly since?: number;
  readonly now?: number;
}

describe('tempest-cloud', () => {
  let service: TempestService;

  beforeEach(async () => {
    service = await tempestService([0, 60, 120, 180, 240].map((second) => OBSERVED + second));
  });

  afterEach(async () => {
    await service.close();
  });

  async function ask({ span, token = TOKEN, account = '1110', since, now }: Asked = {}) {
    const secrets = { token };
    const asked = askedDevice({ url: service.url, secrets, account, ...(now !== undefined && { now }) });
    return (await tempestCloud.ask?.({ ...asked, ...(since !== undefined && { since }) }, span)) ?? [];
  }
  const secondsOf = (reports: Awaited<ReturnType<typeof ask>>) =>
    reports.map(({ time }) => (time ?? 0) / 1000 - OBSERVED);

  it('asks for the newest observation at first', async () => {
    const reports = await ask();
    expect(secondsOf(reports)).to.deep.equal([240]);
    expect(reports[0]?.counters).to.equal(undefined);
    expect(reports[0]?.sensors).to.deep.equal([{ sensor: '1110', batteryVoltage: 2.41 }]);
  });

  it('asks for all observations since the newest stored one, so that no rain is lost', async () => {
    const now = (OBSERVED + 250) * 1000;
    expect(secondsOf(await ask({ since: (OBSERVED + 60) * 1000, now }))).to.deep.equal([120, 180, 240]);
    expect(secondsOf(await ask({ since: (OBSERVED + 240) * 1000, now }))).to.deep.equal([]);
    // The clock of the station may be ahead.
    expect(secondsOf(await ask({ since: now + 5000, now }))).to.deep.equal([]);
    const { searchParams } = new URL(service.requests.at(-1)?.path ?? '', service.url);
    expect(searchParams.get('time_start')).to.equal(searchParams.get('time_end'));
  });

  it('never asks for more than a day, because the service combines observations of longer spans', async () => {
    const now = (OBSERVED + 3 * DAY) * 1000;
    await ask({ since: OBSERVED * 1000, now });
    const { searchParams } = new URL(service.requests[0]?.path ?? '', service.url);
    expect(Number(searchParams.get('time_end')) - Number(searchParams.get('time_start'))).to.equal(DAY);
    expect(tempestCloud.history?.longest).to.equal(DAY * 1000);
  });

  it('asks for a span of the past', async () => {
    const span = { from: (OBSERVED + 60) * 1000, to: (OBSERVED + 180) * 1000 };
    expect(secondsOf(await ask({ span }))).to.deep.equal([60, 120, 180]);
  });

  it('fails with one sentence for a wrong token, a wrong account, a hub and another service', async () => {
    const failures: [() => Promise<unknown>, string][] = [
      [() => ask({ token: 'wrong' }), 'The service refused the token: UNAUTHORIZED.'],
      [
        () => ask({ account: '9' }),
        'The service does not have what was asked for: check the account: NOT FOUND.',
      ],
    ];
    for (const [request, message] of failures) {
      const failure = await failureOf(request());
      expect([failure.message, failure.needsOwner]).to.deep.equal([message, true]);
    }
    service.answer({ body: { status: { status_code: 0 }, device_id: 1109, type: 'hub_status' } });
    expect((await failureOf(ask())).message).to.contain('because it is another device, for example a hub');
    // The service sends some errors with the status 200.
    service.answer({
      body: { status: { status_code: 401, status_message: 'EXPIRED' }, type: 'obs_st', obs: [] },
    });
    expect((await failureOf(ask())).message).to.equal('The service refused the token: EXPIRED.');
    service.answer({ body: '<html>' });
    expect((await failureOf(ask())).message).to.contain('is not JSON');
    service.answer({ status: 404, body: '<html>' });
    expect((await failureOf(ask())).message).to.contain('(status 404)');
    service.answer({ body: { obs: [] }, dieAfter: 3 });
    expect((await failureOf(ask())).message).to.contain('in the middle of its reply');
    service.answer({ status: 429, body: '', headers: { 'retry-after': '7' } });
    expect((await failureOf(ask())).retryAfter).to.equal(7);
  });

  it('reports nothing for a device without observations', async () => {
    service.answer({ body: { status: { status_code: 0 }, type: 'obs_st', obs: null } });
    expect(await ask()).to.deep.equal([]);
  });

  it('accepts only the number of a device as account', () => {
    expect(tempestCloud.faultOf?.({ account: '1110' })).to.equal(undefined);
    expect(tempestCloud.faultOf?.({ account: 'ST-00000512' })).to.contain('and not its serial number');
  });

  it('never names the token in a message', async () => {
    for (const status of [401, 404, 500]) {
      service.answer({ status, body: '' });
      expect((await failureOf(ask())).message).not.to.contain(TOKEN);
    }
  });
});
