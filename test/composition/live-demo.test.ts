import { expect } from 'chai';
import { Workplace } from '../support/process.js';

interface Listed {
  readonly stations: readonly { readonly id: string; readonly recorded?: number }[];
}

describe('the live demo', () => {
  let place: Workplace;
  before(async () => (place = await Workplace.make()));
  after(() => place.remove());

  it('is made and removed beside a running service, which marks its stations', async () => {
    const service = await place.serveHere();
    const ask = async <T>(path: string) =>
      (await (await fetch(`${service.externalUrl}/v1/${path}`)).json()) as T;
    const ids = async () =>
      (await ask<Listed>('stations')).stations.map(({ id, recorded }) => [id, recorded]);
    const made = await place.run(['demo', '--live']);
    // The tests do not start the command by its name, so the printed commands do not begin with it.
    for (const command of ['serve', 'demo --remove'])
      expect(made.stdout).to.match(
        new RegExp(`[("](?:WEATHERD_DATA_DIR=\\S+ )?node \\S*bin/weatherd\\.mjs ${command}\\b`),
      );
    expect([made.status, made.stdout]).to.deep.equal([0, made.stdout]);
    expect(made.stdout)
      .to.match(/Created 3 stations .*EWR-live, JFK-live, LGA-live/)
      .and.contain('recorded in 2013');
    expect(await ids()).to.deep.equal(['EWR-live', 'JFK-live', 'LGA-live'].map((id) => [id, 2013]));
    const now = await ask<{ state: string; recorded: number; last_seen: string }>('stations/JFK-live/now');
    expect([now.state, now.recorded]).to.deep.equal(['live', 2013]);
    expect((await place.run(['station', 'list'])).stdout).to.contain('La Guardia (recorded in 2013)');
    const isCorrected = async (id: string) => {
      const { corrected } = await ask<{ corrected?: Record<string, boolean> }>(`stations/${id}/forecast`);
      return corrected?.['air_temperature'] === true;
    };
    // The service asks for forecasts in the first seconds after the order, which must not be before the training.
    for (const id of ['EWR-live', 'JFK-live', 'LGA-live'])
      while (!(await isCorrected(id))) await new Promise((resolve) => setTimeout(resolve, 200));
    const removed = await place.run(['demo', '--remove']);
    expect(removed.stdout).to.contain(
      'Removed 3 stations of the demo permanently: EWR-live, JFK-live, LGA-live.',
    );
    expect(await ids()).to.deep.equal([]);
    expect((await place.run(['demo', '--remove'])).stdout).to.contain('There are no stations of the demo.');
    expect((await place.run(['demo', '--live', '--remove'])).status).to.equal(2);
  });
});
