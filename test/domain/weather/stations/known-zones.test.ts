import { expect } from 'chai';
import sinon from 'sinon';
import { isZone } from '#domain/weather/stations/known-zones.js';

describe('time zones of stations', () => {
  afterEach(() => sinon.restore());

  it('are names that Node.js knows, and offsets', () => {
    for (const name of ['Europe/Berlin', 'UTC', 'America/New_York', '+05:30', '-03:00'])
      expect([isZone(name), isZone(name)], name).to.deep.equal([true, true]);
    for (const name of ['Europe/Bonn', '', '+5', '+25:00'])
      expect([isZone(name), isZone(name)], name).to.deep.equal([false, false]);
  });

  it('are looked up once, until a thousand other names were', () => {
    const ask = sinon.spy(Intl, 'DateTimeFormat');
    const asked = (name: string) => {
      const before = ask.callCount;
      isZone(name);
      return ask.callCount - before;
    };
    for (let count = 0; count < 1000; count += 1) asked(`None/${count}`);
    // Some of them fill the memory again, which was emptied once.
    expect([asked('None/First'), asked('None/First'), asked('None/999')]).to.deep.equal([1, 0, 0]);
    for (let count = 0; count < 1000; count += 1) asked(`None/Other${count}`);
    expect([asked('None/First'), asked('None/999')]).to.deep.equal([1, 1]);
  });
});
