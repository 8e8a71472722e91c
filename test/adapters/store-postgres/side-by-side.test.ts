import { expect } from 'chai';
import fc from 'fast-check';
import { SideBySide } from '#adapters/store-postgres/observations/side-by-side.js';
import { pause } from '#application/pause.js';

describe('SideBySide', () => {
  it('yields all results, runs parts at the same time up to its limit, and frees its places after an error or a break', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.nat(3),
        fc.array(
          fc.record({
            parts: fc.array(fc.nat(4), { maxLength: 6 }),
            failing: fc.option(fc.nat(5), { nil: undefined }),
            taken: fc.option(fc.nat(6), { nil: Infinity }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        async (scheduler, most, callers) => {
          const both = new SideBySide(most);
          let [running, highest] = [0, 0];
          const work = (failing: number | undefined) =>
            async function* (part: readonly [index: number, results: number]) {
              const [index, results] = part;
              running += 1;
              highest = Math.max(highest, running);
              try {
                for (let result = 0; result < results; result += 1) {
                  await scheduler.schedule(Promise.resolve());
                  yield `${index}.${result}`;
                }
                await scheduler.schedule(Promise.resolve());
                if (index === failing) throw new Error('failed');
              } finally {
                running -= 1;
              }
            };
          const call = async ({ parts, failing, taken }: (typeof callers)[number]) => {
            const found: string[] = [];
            const isFailing = failing !== undefined && failing < parts.length;
            try {
              for await (const result of both.run(parts.entries(), work(failing))) {
                if (found.length >= taken) break;
                found.push(result);
              }
            } catch (error) {
              expect((error as Error).message).to.equal('failed');
              expect(isFailing).to.equal(true);
              return;
            }
            const all = parts.flatMap((results, index) =>
              Array.from({ length: results }, (_, result) => `${index}.${result}`),
            );
            expect(all).to.include.members(found);
            expect(new Set(found).size).to.equal(found.length);
            if (taken >= all.length) expect(isFailing ? 'no error' : found.length).to.equal(all.length);
          };
          const calls = Promise.all(callers.map(call));
          await scheduler.waitFor(calls);
          // The parts of a call that has ended end too, and free their places.
          while (scheduler.count() > 0) await scheduler.waitAll();
          await pause();
          expect(running).to.equal(0);
          expect(highest).to.be.at.most(most + callers.length);
          highest = 0;
          const again = both.run(
            Array.from({ length: most + 3 }, (_, index) => [index, 1] as const),
            work(undefined),
          );
          const last = (async () => {
            for await (const result of again) expect(result).to.match(/\.0$/);
          })();
          await scheduler.waitFor(last);
          expect(highest).to.equal(most + 1);
        },
      ),
      { numRuns: 200 },
    );
  });
});
