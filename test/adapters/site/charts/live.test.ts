import { expect } from 'chai';
import { type ChartReply, newestTime, withHours } from '#adapters/site/client/charts/model/read.js';

const START = Date.parse('2026-11-27T10:00:00Z');
const HOUR = 3_600_000;

describe('charts of a live station', () => {
  const row = (hour: number, sum: number | null, mean: number) => ({
    start: new Date(START + hour * HOUR).toISOString(),
    end: new Date(START + (hour + 1) * HOUR).toISOString(),
    precipitation_amount: { sum, complete: true },
    wind_from_direction: { mean },
  });
  const reply = (...rows: readonly ReturnType<typeof row>[]) =>
    ({
      range: { from: START - HOUR, to: START + HOUR / 2 },
      step: 'value',
      barStep: 'hour',
      points: 100,
      observations: undefined,
      summaries: {
        hour: {
          interval: 'hour',
          units: { precipitation_amount: 'mm', wind_from_direction: 'degree' },
          summaries: rows,
        },
      },
    }) as unknown as ChartReply;
  const drawn = (shown: ChartReply) =>
    shown.summaries.hour?.summaries.map(
      ({ start, precipitation_amount: rain, wind_from_direction: wind }) => [
        (Date.parse(start) - START) / HOUR,
        rain?.sum,
        wind?.mean,
      ],
    );

  it('have bars and arrows of the running hour and of later hours from events', () => {
    const shown = reply(row(-1, 2, 10), row(0, 0.5, 20));
    const hours = [
      { start: START - HOUR, rain: 9, direction: 90 },
      { start: START, rain: 0.75, direction: 30 },
      { start: START + HOUR, rain: 0.25, direction: null },
    ];
    expect(drawn(withHours(shown, hours))).to.deep.equal([
      [-1, 2, 10],
      [0, 0.75, 30],
      [1, 0.25, null],
    ]);
    // The amount of the reply counts if it is newer than the events.
    expect(drawn(withHours(shown, [{ start: START, rain: 0.1 }]))?.at(-1)).to.deep.equal([0, 0.5, 20]);
    expect(withHours(shown, [])).to.equal(shown);
    expect(withHours(shown, [{ start: START - HOUR, rain: 9 }])).to.equal(shown);
  });

  it('have no bars of hours if the reply has none', () => {
    const days = { ...reply(), summaries: {} };
    expect(withHours(days, [{ start: START, rain: 1 }])).to.equal(days);
  });

  it('know the time of the newest value', () => {
    const value = (time: string) => ({ time, value: 1, verdict: 'pass' as const });
    expect(newestTime({ a: value('2026-11-27T10:00:00Z'), b: value('2026-11-27T09:00:00Z') })).to.equal(
      START,
    );
    expect(newestTime({})).to.equal(undefined);
    expect(newestTime(undefined)).to.equal(undefined);
  });
});
