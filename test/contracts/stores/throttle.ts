import { expect } from 'chai';
import type { Throttle } from '../../../src/application/ports/throttle.js';
import type { AttemptCounter, AttemptLimit } from '../../../src/domain/accounts/attempts.js';

const LIMIT = { attempts: 3, seconds: 60 };

const counter = (key: string, ...limits: AttemptLimit[]): AttemptCounter => ({
  key,
  limits: limits.length === 0 ? [LIMIT] : limits,
});

/** The rules for every Throttle. */
export function throttleContract(opened: () => Throttle): void {
  let throttle: Throttle;
  beforeEach(() => (throttle = opened()));

  const ada = counter('ada');
  const countAll = async (times: number, ...counters: AttemptCounter[]) => {
    const waits: number[] = [];
    for (let time = 0; time < times; time += 1) waits.push(await throttle.count(counters));
    return waits;
  };

  it('allows a limited number of attempts and then returns the time to wait', async () => {
    const [first, second, third, fourth = 0] = await countAll(4, ada);
    expect([first, second, third]).to.deep.equal([0, 0, 0]);
    expect(fourth).to.be.within(1, 60);
  });

  it('counts each key and each limit separately, whatever the key contains', async () => {
    await countAll(4, ada);
    for (const key of ['bob', 'ada\u0000', "ada'; --".repeat(1000), 'ada\n']) {
      expect(await throttle.count([counter(key)]), key).to.equal(0);
    }
    expect(await throttle.count([counter('ada', { attempts: 3, seconds: 61 })])).to.equal(0);
  });

  it('counts in all counters, or in none if one is at its limit, and returns the longest wait', async () => {
    const all = counter('all', { attempts: 5, seconds: 600 });
    expect(await countAll(3, ada, all)).to.deep.equal([0, 0, 0]);
    for (const wait of await countAll(5, ada, all)) expect(wait).to.be.within(1, 60);
    expect(await countAll(2, counter('bob'), all)).to.deep.equal([0, 0]);
    const [wait] = await countAll(1, ada, all);
    expect(wait).to.be.within(61, 600);
    expect(await countAll(1, counter('bob'))).to.deep.equal([0]);
  });

  it('allows no more if many attempts arrive at once', async () => {
    const other = counter('other', { attempts: 15, seconds: 60 });
    const waits = await Promise.all(
      Array.from({ length: 20 }, (_value, index) =>
        throttle.count(index % 2 === 0 ? [ada, other] : [other, ada]),
      ),
    );
    expect(waits.filter((wait) => wait === 0)).to.have.length(3);
    expect((await countAll(13, other)).filter((wait) => wait === 0)).to.have.length(12);
  });

  it('removes one attempt, and resets all of them', async () => {
    const other = counter('other');
    await countAll(3, ada, other);
    await throttle.forget([ada]);
    expect((await countAll(2, ada)).map((wait) => wait > 0)).to.deep.equal([false, true]);
    await throttle.clear([ada], [other]);
    expect(await countAll(3, ada)).to.deep.equal([0, 0, 0]);
    expect((await countAll(2, other)).map((wait) => wait > 0)).to.deep.equal([false, true]);
  });

  it('allows no further attempt if one is removed that was not counted', async () => {
    await throttle.clear([counter('nobody')], [ada]);
    await throttle.forget([ada, counter('nobody')]);
    expect((await countAll(4, ada)).map((wait) => wait > 0)).to.deep.equal([false, false, false, true]);
  });

  it('forgets an attempt after its time, with or without a purge', async () => {
    const short = counter('ada', { attempts: 1, seconds: 1 });
    expect(await throttle.count([short])).to.equal(0);
    expect(await throttle.count([short])).to.equal(1);
    const bob = counter('bob');
    await countAll(3, bob);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await throttle.count([short])).to.equal(0);
    await throttle.purge();
    expect(await throttle.count([bob])).to.be.above(0);
  });
}
