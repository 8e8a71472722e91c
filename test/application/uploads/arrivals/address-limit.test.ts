import { expect } from 'chai';
import fc from 'fast-check';
import type { Admission } from '#application/uploads/arrivals/admission.js';
import { AddressLimit } from '#application/uploads/arrivals/address-limit.js';
import { FakeClock } from '../../fakes/fakes.js';

/** A limit of three requests that come back within a second and a half, one after the other. */
const LIMIT = { requests: 3, seconds: 1.5 };
const EACH = 500;

type Kind = 'secret' | 'guess';

class Setting {
  readonly clock = new FakeClock();
  /** Keys that were looked up, and whether they were right. */
  readonly lookUps: string[] = [];
  readonly #waits: { readonly until: number; readonly end: () => void }[] = [];
  readonly limit = new AddressLimit(this.clock, (address) => address, {
    limit: LIMIT,
    wait: (milliseconds) =>
      new Promise((end) => this.#waits.push({ until: this.clock.up + milliseconds, end })),
  });

  identify(admission: Admission, kind: Kind, isValid: boolean): Promise<boolean | undefined> {
    return admission.identify({
      find: async () => {
        this.lookUps.push(`${kind} ${isValid ? 'right' : 'wrong'}`);
        return isValid;
      },
      isValid: (found) => found,
      isGuessable: kind === 'guess',
    });
  }

  /** Sends a request. @returns whether its key was right; undefined where it was refused */
  send(kind: Kind, isValid: boolean, address = 'a'): Promise<boolean | undefined> {
    return this.identify(this.limit.arrive(address), kind, isValid);
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.clock.up + milliseconds;
    for (;;) {
      await settled();
      const next = Math.min(...this.#waits.map(({ until }) => until));
      if (next > end) break;
      this.clock.up = Math.max(this.clock.up, next);
      for (const wait of this.#waits.splice(0)) {
        if (wait.until <= this.clock.up) wait.end();
        else this.#waits.push(wait);
      }
    }
    this.clock.up = end;
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('AddressLimit', () => {
  let setting: Setting;
  beforeEach(() => (setting = new Setting()));

  const exhaust = async () => {
    for (let count = 0; count < LIMIT.requests; count += 1) await setting.send('secret', false);
    expect(setting.limit.arrive('a').isWithin).to.equal(false);
    setting.lookUps.length = 0;
  };

  it('gives a request back when its key is right, so that a sender with a key has no limit', async () => {
    for (let count = 0; count < 100; count += 1) {
      expect(await setting.send('secret', true)).to.equal(true);
      expect(await setting.send('guess', true)).to.equal(true);
    }
    await exhaust();
  });

  it('counts a request while its key is being looked up', async () => {
    const arrived = [1, 2, 3].map(() => setting.limit.arrive('a'));
    expect(setting.limit.arrive('a').isWithin).to.equal(false);
    for (const admission of arrived) await setting.identify(admission, 'secret', true);
    expect(setting.limit.arrive('a').isWithin).to.equal(true);
  });

  it('takes right secrets of an address without a request left, and refuses wrong ones and what has no key', async () => {
    await exhaust();
    expect(await setting.send('secret', true)).to.equal(true);
    expect(await setting.send('secret', false)).to.equal(undefined);
    expect(setting.limit.arrive('a').isWithin).to.equal(false);
    expect(setting.limit.arrive('b').isWithin).to.equal(true);
  });

  it('looks up one secret of such an address at a time', async () => {
    await exhaust();
    let isBusy = false;
    const lookUp = {
      find: async () => {
        expect(isBusy).to.equal(false);
        isBusy = true;
        await settled();
        isBusy = false;
        return true;
      },
      isValid: () => true,
      isGuessable: false,
    };
    const all = Array.from({ length: 20 }, () => setting.limit.arrive('a').identify(lookUp));
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set([true]));
  });

  it('lets what can be guessed wait for a request, in its turn, and refuses at once what is behind 16', async () => {
    await exhaust();
    const results: (boolean | undefined)[] = [];
    const guesses = Array.from({ length: 17 }, (_, index) =>
      setting.send('guess', index === 1).then((result) => results.push(result)),
    );
    await settled();
    expect(results).to.deep.equal([undefined]);
    expect(setting.lookUps).to.deep.equal([]);
    await setting.pass(EACH - 1);
    expect(setting.lookUps).to.deep.equal([]);
    await setting.pass(1);
    expect(setting.lookUps).to.deep.equal(['guess wrong']);
    // The right one gives back what it has taken, so that the next one need not wait.
    await setting.pass(EACH);
    expect(setting.lookUps).to.deep.equal(['guess wrong', 'guess right', 'guess wrong']);
    // Who waits is not overtaken by those who arrive, and a secret does not wait behind guesses.
    expect(await setting.send('secret', false)).to.equal(undefined);
    expect(await setting.send('secret', true)).to.equal(true);
    await setting.pass(20 * EACH);
    await Promise.all(guesses);
    expect(results.filter((result) => result === true)).to.have.length(1);
  });

  it('counts each upload of a request that has several', async () => {
    const admission = setting.limit.arrive('a');
    const outcomes: (boolean | undefined)[] = [];
    for (let index = 0; index < 6; index += 1)
      outcomes.push(await setting.identify(admission, 'secret', index % 2 === 0));
    expect(outcomes).to.deep.equal([true, false, true, false, true, false]);
    expect(await setting.identify(admission, 'secret', false)).to.equal(undefined);
  });

  it('leaves an upload less time the longer its request has waited', () => {
    const admission = setting.limit.arrive('a');
    const before = admission.timeToWait();
    setting.clock.up += 1000;
    expect(before - admission.timeToWait()).to.equal(1000);
    setting.clock.up += 10_000;
    expect(admission.timeToWait()).to.equal(0);
  });

  it('remembers a limited number of addresses', async () => {
    await exhaust();
    for (let address = 0; address < 50_000; address += 1) setting.limit.arrive(String(address));
    expect(setting.limit.arrive('a').isWithin).to.equal(true);
  });

  it('never refuses a right secret, and looks up no more guesses than the limit, in any order of requests', async () => {
    const request = fc.record({
      kind: fc.constantFrom<Kind>('secret', 'guess'),
      isValid: fc.boolean(),
      pause: fc.nat({ max: 2 * EACH }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 60 }), async (requests) => {
        const one = new Setting();
        const pending: Promise<void>[] = [];
        for (const { kind, isValid, pause } of requests) {
          const arrivedAt = one.clock.up;
          pending.push(
            one.send(kind, isValid).then((result) => {
              if (kind === 'secret' && isValid) {
                expect(result).to.equal(true);
                expect(one.clock.up).to.equal(arrivedAt);
              }
              if (!isValid) expect(result).not.to.equal(true);
              // The last of those that wait has to wait for all before it.
              expect(one.clock.up - arrivedAt).to.be.at.most(16 * EACH);
            }),
          );
          await settled();
          await one.pass(pause);
          const wrong = one.lookUps.filter((lookUp) => lookUp === 'guess wrong').length;
          expect(wrong).to.be.at.most(LIMIT.requests + one.clock.up / EACH + 1e-6);
        }
        await one.pass(20 * EACH);
        await Promise.all(pending);
      }),
      { numRuns: 300 },
    );
  });
});
