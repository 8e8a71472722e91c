import { expect } from 'chai';
import { KeyedQueue } from '#application/keyed-queue.js';
import { pause } from '#application/pause.js';
import { rejectionOf } from '../support/rejection.js';

describe('KeyedQueue', () => {
  /** Work that notes its beginning, and ends when it is told. */
  const bench = () => {
    const queue = new KeyedQueue();
    const begun: string[] = [];
    const ends = new Map<string, (failure?: Error) => void>();
    const run = (key: string, name: string) =>
      queue.run(key, () => {
        begun.push(name);
        return new Promise<string>((resolve, reject) =>
          ends.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure))),
        );
      });
    const end = async (name: string, failure?: Error) => {
      ends.get(name)?.(failure);
      await pause();
    };
    return { queue, begun, run, end };
  };

  it('runs the work of a key one after the other, also after a failure, and that of other keys meanwhile', async () => {
    const { begun, run, end } = bench();
    const results = Promise.allSettled([run('a', 'a1'), run('a', 'a2'), run('b', 'b1'), run('a', 'a3')]);
    expect(begun).to.deep.equal(['a1', 'b1']);
    const failure = new Error('failed');
    await end('a1', failure);
    expect(begun).to.deep.equal(['a1', 'b1', 'a2']);
    for (const name of ['b1', 'a2', 'a3']) await end(name);
    expect(begun).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
    expect(await results).to.deep.equal([
      { status: 'rejected', reason: failure },
      ...['a2', 'b1', 'a3'].map((value) => ({ status: 'fulfilled', value })),
    ]);
  });

  it('tells how many of a key have not ended, and forgets a key without work', async () => {
    const { queue, run, end } = bench();
    const failing = rejectionOf(run('a', 'a1'));
    const other = run('a', 'a2');
    expect([queue.lengthOf('a'), queue.lengthOf('b')]).to.deep.equal([2, 0]);
    await end('a1', new Error('failed'));
    await failing;
    expect(queue.lengthOf('a')).to.equal(1);
    await end('a2');
    await other;
    expect(queue.lengthOf('a')).to.equal(0);
    const thrown = queue.run('a', () => {
      throw new Error('at once');
    });
    expect(await rejectionOf(thrown)).to.have.property('message', 'at once');
    expect(queue.lengthOf('a')).to.equal(0);
  });
});
