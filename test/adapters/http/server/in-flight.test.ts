import { expect } from 'chai';
import fc from 'fast-check';
import type { Exchange } from '#adapters/http/core/request/exchange.js';
import { InFlight } from '#adapters/http/server/in-flight.js';

const exchange = (id: string) => ({ id, earlier: undefined, later: undefined }) as Exchange;

describe('InFlight', () => {
  it('holds what was added and not deleted, in the order of arrival', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 })), (steps) => {
        const exchanges = Array.from({ length: 10 }, (_, index) => exchange(String(index)));
        const inFlight = new InFlight();
        const model = new Set<Exchange>();
        for (const step of steps) {
          const one = exchanges[step] as Exchange;
          if (model.has(one)) {
            inFlight.delete(one);
            model.delete(one);
          } else {
            inFlight.delete(one);
            inFlight.add(one);
            model.add(one);
          }
          expect([...inFlight].map(({ id }) => id)).to.deep.equal([...model].map(({ id }) => id));
        }
      }),
    );
  });

  it('lets the exchange that is looked at end', () => {
    const inFlight = new InFlight();
    for (const id of ['a', 'b', 'c']) inFlight.add(exchange(id));
    const seen: string[] = [];
    for (const one of inFlight) {
      inFlight.delete(one);
      seen.push(one.id);
    }
    expect(seen).to.deep.equal(['a', 'b', 'c']);
    expect([...inFlight]).to.deep.equal([]);
  });

  it('has finished when the last one ends, and not at the deadline before', async () => {
    const inFlight = new InFlight();
    const [first, last] = [exchange('first'), exchange('last')];
    inFlight.add(first);
    inFlight.add(last);
    expect(await inFlight.finish(1)).to.equal(false);
    const finished = inFlight.finish(60_000);
    inFlight.delete(last);
    inFlight.delete(first);
    expect(await finished).to.equal(true);
    expect(await inFlight.finish(0)).to.equal(true);
  });
});
