import { expect } from 'chai';
import type { LiveReader } from '#application/observations/live/live-reader.js';
import { Selections } from '#application/observations/live/selections.js';
import type { WantedStations } from '#application/observations/live/wanted-stations.js';
import type { Station } from '#domain/weather/station.js';
import { STATION } from '../../../support/weather-world.js';

const station = (id: string): Station => ({ ...STATION, id, number: 1 });
const wanted = (key: string, ids?: readonly string[], needsToday = false) =>
  ({
    key,
    ids,
    included: { recent: needsToday, rain: false, alarms: false },
    matches: ({ id }: Station) => ids?.includes(id) ?? id !== 'none',
  }) as WantedStations;
const reader = () => ({}) as LiveReader;

describe('selections of stations', () => {
  let selections: Selections;
  beforeEach(() => (selections = new Selections()));
  const of = (id: string) => [...selections.of(station(id))].map((one) => one.wanted.key);

  it('are shared by the readers of the same stations, and found by station', () => {
    expect(selections.isEmpty).to.equal(true);
    const [one, two, three] = [reader(), reader(), reader()];
    const first = selections.join(one, wanted('a', ['A']), 7);
    expect(selections.join(two, wanted('a', ['A']), 9)).to.equal(first);
    expect(first).to.include({ since: 7, leftAt: undefined });
    expect([...first.readers]).to.deep.equal([one, two]);
    selections.join(three, wanted('ab', ['A', 'B'], true), 9);
    selections.join(three, wanted('all'), 9);
    expect([of('A'), of('B'), of('C'), of('none')]).to.deep.equal([
      ['a', 'ab', 'all'],
      ['ab', 'all'],
      ['all'],
      [],
    ]);
    expect(['A', 'none'].map((id) => selections.isWanted(station(id)))).to.deep.equal([true, false]);
    expect(['A', 'B', 'C'].map((id) => selections.needs(station(id), 'recent'))).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect([...selections.readers()]).to.deep.equal([one, two, three, three]);
    expect(selections.find('ab')?.wanted.key).to.equal('ab');
    expect(selections.find('b')).to.equal(undefined);
  });

  it('are kept for readers that come back, and forgotten some time after the last one has left', () => {
    const [one, two] = [reader(), reader()];
    const first = selections.join(one, wanted('a', ['A']), 1);
    selections.join(two, wanted('a', ['A']), 1);
    selections.leave(one, first, 10);
    expect(first.leftAt).to.equal(undefined);
    selections.leave(reader(), first, 11);
    selections.leave(two, first, 12);
    expect(first.leftAt).to.equal(12);
    selections.leave(two, first, 13);
    expect(first.leftAt).to.equal(12);
    expect(of('A')).to.deep.equal(['a']);
    selections.removeAbandoned(12);
    expect(selections.join(one, wanted('a', ['A']), 5)).to.equal(first);
    expect(first.leftAt).to.equal(undefined);
    selections.removeAbandoned(Infinity);
    expect(selections.find('a')).to.equal(first);
    selections.leave(one, first, 20);
    const all = selections.join(two, wanted('all'), 5);
    selections.leave(two, all, 30);
    selections.removeAbandoned(21);
    expect([of('A'), selections.find('a'), selections.isEmpty]).to.deep.equal([['all'], undefined, false]);
    selections.removeAbandoned(31);
    expect([of('A'), selections.isEmpty]).to.deep.equal([[], true]);
    expect(selections.isWanted(station('A'))).to.equal(false);
  });

  it('without readers are at most a thousand, of which the oldest go first', () => {
    const one = reader();
    for (let count = 0; count < 1001; count += 1)
      selections.leave(one, selections.join(one, wanted(`${count}`, ['A', `${count}`]), 1), count);
    expect(selections.find('0')).to.equal(undefined);
    expect(selections.find('1')?.wanted.key).to.equal('1');
    expect(of('A')).to.have.length(1000);
    expect(of('0')).to.deep.equal([]);
  });
});
