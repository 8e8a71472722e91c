import { expect } from 'chai';
import fc from 'fast-check';
import type { StoredRequest } from '#application/ports/recheck-store.js';
import type { Stores } from '#application/ports/stores.js';
import { recheckRequestsOf } from '#application/stations/recheck-of-changes.js';
import { domainErrorOf } from '../../support/rejection.js';
import { JFK } from './station-store.js';

const IDS = ['a', 'b', 'c'];
const AROUND = 1000;

type Step =
  | { readonly kind: 'move' | 'limit' | 'name'; readonly ids: readonly string[]; readonly value: number }
  | { readonly kind: 'hide' | 'restore' | 'remove'; readonly ids: readonly string[] };

/** The rules for requests for judging that belong to changes of stations, for every store. */
export function recheckOfChangesContract(opened: () => Stores): void {
  let stores: Stores;
  beforeEach(() => (stores = opened()));

  const requested = async () =>
    (await stores.recheck.requests(10_000)).map(({ id: _id, ...request }: StoredRequest) => request);
  const finishAll = async () =>
    await stores.recheck.finish((await stores.recheck.requests(10_000)).map(({ id }) => ({ id })));

  it('requests a recheck in the transaction of a change, or not at all', async () => {
    await stores.stations.put([{ ...JFK, id: 'a' }]);
    expect(await requested(), 'not asked for').to.deep.equal([]);
    const edits = [
      { id: 'a', change: { latitude: 1 } },
      { id: 'missing', change: { latitude: 2 } },
    ];
    await domainErrorOf(stores.stations.change(edits, { recheckAround: AROUND }), 'STATION_UNKNOWN');
    expect(await stores.stations.hide('missing', 1, { recheckAround: AROUND })).to.equal(false);
    expect(await stores.stations.restore('a', { recheckAround: AROUND })).to.equal(false);
    expect(await stores.stations.remove('missing', { recheckAround: AROUND })).to.equal(false);
    expect(await requested()).to.deep.equal([]);
  });

  it('requests a recheck of what depends on the changed stations, in any sequence of changes', async () => {
    const ids = fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 2 });
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({
        kind: fc.constantFrom('move' as const, 'limit' as const, 'name' as const),
        ids,
        value: fc.integer({ min: 1, max: 3 }),
      }),
      fc.record({ kind: fc.constantFrom('hide' as const, 'restore' as const, 'remove' as const), ids }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const id of IDS) {
          await stores.stations.remove(id);
          const [made] = await stores.stations.put([{ ...JFK, id }]);
          expect(made?.isNew).to.equal(true);
        }
        await finishAll();
        for (const one of steps) await check(one);
      }),
      { numRuns: 25 },
    );
  });

  const check = async (step: Step) => {
    const visible = async () => new Map((await stores.stations.list()).map((one) => [one.id, one]));
    const before = await visible();
    if ('value' in step) {
      const { kind, value } = step;
      const edits = step.ids.flatMap((id) => (before.has(id) ? [{ id, change: changeOf(kind, value) }] : []));
      await stores.stations.change(edits, { recheckAround: AROUND });
    } else {
      for (const id of step.ids) {
        if (step.kind === 'hide') await stores.stations.hide(id, 1, { recheckAround: AROUND });
        else if (step.kind === 'restore') await stores.stations.restore(id, { recheckAround: AROUND });
        else await stores.stations.remove(id, { recheckAround: AROUND });
      }
    }
    const after = await visible();
    const transitions = step.ids.map((id) => ({ before: before.get(id), after: after.get(id) }));
    expect(await requested()).to.deep.equal(recheckRequestsOf(transitions, AROUND));
    await finishAll();
  };

  it('returns the requests after one of them', async () => {
    const [made] = await stores.stations.put([{ ...JFK, id: 'a' }]);
    const number = made?.station.number ?? 0;
    const one = { station: number, spreads: false };
    await stores.recheck.request([1, 2, 3].map((from) => ({ ...one, from, to: 9 })));
    const [first, second, third] = await stores.recheck.requests(9);
    expect(await stores.recheck.requests(1, first?.id)).to.deep.equal([second]);
    expect(await stores.recheck.requests(9, second?.id)).to.deep.equal([third]);
    expect(await stores.recheck.requests(9, third?.id)).to.deep.equal([]);
  });
}

function changeOf(kind: 'move' | 'limit' | 'name', value: number) {
  if (kind === 'move') return { latitude: value };
  return kind === 'name'
    ? { name: `Name ${value}` }
    : { limits: { air_temperature: { min: -value, max: value } } };
}
