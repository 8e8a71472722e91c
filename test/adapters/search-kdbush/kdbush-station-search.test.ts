import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { KdbushStationSearch } from '#adapters/search-kdbush/kdbush-station-search.js';
import type { StationStore } from '#application/ports/station-store.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { StationDraft } from '#domain/weather/station.js';
import { openLocalStores } from '../../support/local-stores.js';

describe('KdbushStationSearch', () => {
  const draft = (id: string, latitude: number, longitude: number): StationDraft => ({
    id,
    name: `Name of ${id}`,
    latitude,
    longitude,
    elevation: null,
    timeZone: 'UTC',
    identifiers: id === 'pole' ? { wmo: '89009' } : {},
    reportingInterval: null,
    limits: {},
  });
  let store: StationStore;
  let search: KdbushStationSearch;

  beforeEach(async () => {
    store = openLocalStores().stations;
    search = new KdbushStationSearch(new StationDirectory(store, new LocalAnnouncer()));
    await store.put([
      draft('fiji-east', -17, -179.9),
      draft('fiji-west', -17, 179.9),
      draft('pole', -90, 0),
      draft('near-pole', -89.5, 170),
      draft('oslo', 59.9, 10.7),
    ]);
  });
  const ids = async (filter: Parameters<typeof search.search>[1], offset = 0, limit = 10) =>
    (await search.search('users', filter, offset, limit)).map(({ station }) => station.id);

  it('finds the nearest across the antimeridian and over the pole', async () => {
    const near = { latitude: -17, longitude: 179.95 };
    expect(await ids({ near, radius: 50 })).to.deep.equal(['fiji-west', 'fiji-east']);
    const [first, second] = await search.search('users', { near: { latitude: -89.9, longitude: -10 } }, 0, 2);
    expect([first?.station.id, second?.station.id]).to.deep.equal(['pole', 'near-pole']);
    expect(first?.distance).to.be.closeTo(11.12, 0.01);
  });

  it('finds stations in a box, also across the antimeridian', async () => {
    expect(await ids({ bbox: { west: 179, south: -18, east: -179, north: -16 } })).to.deep.equal([
      'fiji-east',
      'fiji-west',
    ]);
    expect(await ids({ bbox: { west: -180, south: -18, east: 0, north: -16 } })).to.deep.equal(['fiji-east']);
  });

  it('finds text in ids, names and identifiers, and pages through', async () => {
    expect(await ids({ text: 'FIJI' })).to.deep.equal(['fiji-east', 'fiji-west']);
    expect(await ids({ text: '89009' })).to.deep.equal(['pole']);
    expect(await ids({}, 1, 2)).to.deep.equal(['fiji-west', 'near-pole']);
    expect(await ids({ near: { latitude: 60, longitude: 10 } }, 1, 1)).to.have.length(1);
  });

  it('finds changed stations', async () => {
    expect(await ids({ text: 'oslo' })).to.deep.equal(['oslo']);
    await store.remove('oslo');
    await store.put([draft('bergen', 60.4, 5.3)]);
    expect(await ids({ near: { latitude: 60, longitude: 10 } }, 0, 1)).to.deep.equal(['bergen']);
  });

  it('has each station on one page, whatever their size, however many are at the same place', async () => {
    const many = openLocalStores().stations;
    // More results than the tree supports, so that later pages use a scan. Up to 700 stations have the same place.
    const count = 2500;
    await many.put(
      Array.from({ length: count }, (_, index) =>
        draft(`s${String(index).padStart(4, '0')}`, Math.floor(index / 700), (index * index) % 3),
      ),
    );
    const paged = new KdbushStationSearch(new StationDirectory(many, new LocalAnnouncer()));
    for (const limit of [70, 333, 1000]) {
      const seen: string[] = [];
      const distances: number[] = [];
      for (let offset = 0; offset < count; offset += limit) {
        const page = await paged.search('users', { near: { latitude: 1.2, longitude: 0.7 } }, offset, limit);
        seen.push(...page.map(({ station }) => station.id));
        distances.push(...page.map((found) => found.distance as number));
      }
      expect(new Set(seen).size, `pages of ${limit}`).to.equal(count);
      expect(distances, `pages of ${limit}`).to.deep.equal(distances.toSorted((a, b) => a - b));
    }
    expect(await paged.search('users', { near: { latitude: 0, longitude: 0 } }, count, 10)).to.deep.equal([]);
    expect(
      await paged.search('users', { near: { latitude: 0, longitude: 0 }, radius: 1 }, 1200, 10),
    ).to.have.length(0);
  });

  it('builds one list and one tree for all concurrent searches', async () => {
    const list = sinon.spy(store, 'list');
    await Promise.all(Array.from({ length: 20 }, () => ids({ near: { latitude: 60, longitude: 10 } })));
    expect(list.callCount).to.equal(1);
    await store.put([draft('bergen', 60.4, 5.3)]);
    const all = await Promise.all(Array.from({ length: 20 }, () => ids({ text: 'bergen' })));
    expect(all.flat()).to.have.length(20);
    expect(list.callCount).to.equal(2);
  });

  it('agrees with measuring every distance', async () => {
    const degrees = fc.tuple(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(degrees, { minLength: 1, maxLength: 40 }),
        degrees,
        async (places, [lat, lon]) => {
          const many = openLocalStores().stations;
          await many.put(
            places.map(([latitude, longitude], index) => draft(`s${index}`, latitude, longitude)),
          );
          const found = await new KdbushStationSearch(
            new StationDirectory(many, new LocalAnnouncer()),
          ).search('users', { near: { latitude: lat, longitude: lon } }, 0, 5);
          const all = places
            .map(([latitude, longitude]) => haversine(lat, lon, latitude, longitude))
            .sort((a, b) => a - b);
          for (const [index, { distance }] of found.entries())
            expect(distance).to.be.closeTo(all[index] ?? 0, 0.001);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Distance in kilometers on a sphere with a radius of 6,371 km. */
function haversine(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const rad = Math.PI / 180;
  const a =
    Math.sin(((lat2 - lat1) * rad) / 2) ** 2 +
    Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lon2 - lon1) * rad) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)));
}
