import { expect } from 'chai';
import type { Throttle } from '../../src/application/ports/throttle.js';

const LIMIT = { attempts: 3, seconds: 60 };

/** What a Throttle must do. */
export function throttleContract(opened: () => Throttle): void {
  let throttle: Throttle;
  beforeEach(() => (throttle = opened()));

  const countAll = async (times: number, key = 'ada') => {
    const waits: number[] = [];
    for (let time = 0; time < times; time += 1) waits.push(await throttle.count(key, LIMIT));
    return waits;
  };

  it('lets so many attempts pass and then says how long to wait', async () => {
    const [first, second, third, fourth = 0] = await countAll(4);
    expect([first, second, third]).to.deep.equal([0, 0, 0]);
    expect(fourth).to.be.within(1, 60);
  });

  it('counts each key and each limit apart, whatever is in the key', async () => {
    await countAll(4);
    expect(await throttle.count('bob', LIMIT)).to.equal(0);
    expect(await throttle.count('ada\u0000', LIMIT)).to.equal(0);
    expect(await throttle.count("ada'; --".repeat(1000), LIMIT)).to.equal(0);
    expect(await throttle.count('ada', { attempts: 3, seconds: 61 })).to.equal(0);
  });

  it('lets no more pass when many come at once', async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => throttle.count('ada', LIMIT)));
    expect(waits.filter((wait) => wait === 0)).to.have.length(3);
  });

  it('takes back an attempt, and forgets them all', async () => {
    await countAll(3);
    await throttle.forget('ada', LIMIT);
    expect((await countAll(2)).map((wait) => wait > 0)).to.deep.equal([false, true]);
    await throttle.clear('ada', LIMIT);
    expect(await countAll(3)).to.deep.equal([0, 0, 0]);
    await throttle.clear('nobody', LIMIT);
  });

  it('forgets an attempt after its time, with or without tidying up', async () => {
    const short = { attempts: 1, seconds: 1 };
    expect(await throttle.count('ada', short)).to.equal(0);
    expect(await throttle.count('ada', short)).to.equal(1);
    await countAll(3, 'bob');
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await throttle.count('ada', short)).to.equal(0);
    await throttle.purge();
    expect(await throttle.count('bob', LIMIT)).to.be.above(0);
  });
}
