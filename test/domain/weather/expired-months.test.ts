import { expect } from 'chai';
import fc from 'fast-check';
import { NO_RULES, type StationRules } from '#domain/weather/quality/station-rules.js';
import { withoutExpiredRows } from '#domain/weather/expired-months.js';

describe('rows of removed months', () => {
  it('are left out, up to the last instant of the months, and no other row', () => {
    const row = fc.tuple(fc.nat(3), fc.nat(9));
    const until = fc.option(fc.nat(9), { nil: undefined });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 9 }), fc.array(until, { maxLength: 4 }), (rows, ends) => {
        const rules = new Map<number, StationRules>(
          ends.map((expiredUntil, station) => [station, { ...NO_RULES, expiredUntil }]),
        );
        const batch = {
          stations: Uint32Array.from(rows, ([station]) => station),
          times: Float64Array.from(rows, ([, time]) => time),
          values: new Map([[1, Float64Array.from(rows.keys())]]),
          flags: new Map([[1, Uint8Array.from(rows, (_row, index) => index + 1)]]),
        };
        const kept = [...rows.keys()].filter((index) => {
          const [station = 0, time = 0] = rows[index] ?? [];
          const end = ends[station];
          return end === undefined || time > end;
        });
        // The second call looks up what the first one has found out about the rules.
        for (const found of [withoutExpiredRows(batch, rules), withoutExpiredRows(batch, rules)]) {
          if (kept.length === rows.length) expect(found).to.equal(batch);
          expect([...found.stations]).to.deep.equal(kept.map((index) => rows[index]?.[0]));
          expect([...found.times]).to.deep.equal(kept.map((index) => rows[index]?.[1]));
          expect([...(found.values.get(1) ?? [])]).to.deep.equal(kept);
          expect([...(found.flags.get(1) ?? [])]).to.deep.equal(kept.map((index) => index + 1));
        }
      }),
    );
  });
});
