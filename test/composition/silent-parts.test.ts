import { expect } from 'chai';
import { describeSilent } from '#composition/sources/asked-sources.js';
import { describeFailing } from '#composition/sources/forecasts.js';

const part = { since: 0, reason: 'No answer.' };

describe('the health check', () => {
  it('names the silent sources, and counts one other in the singular', () => {
    const silent = ['roof', 'shed', 'yard'].map((name) => ({ ...part, name }));
    const first = 'The source roof has given no report since 1970-01-01T00:00:00.000Z: No answer.';
    const texts = [0, 1, 2, 3].map((count) => describeSilent({ silent: silent.slice(0, count) }));
    expect(texts).to.deep.equal([
      undefined,
      first,
      `${first} 1 more source is silent: shed.`,
      `${first} 2 more sources are silent: shed, yard.`,
    ]);
  });

  it('counts the stations without a forecast, and one other in the singular', () => {
    const failing = ['roof', 'shed', 'yard'].map((id) => ({ ...part, id }));
    const first = 'The station roof has got no forecast since 1970-01-01T00:00:00.000Z: No answer.';
    const texts = [0, 1, 2, 3].map((count) => describeFailing({ failing: failing.slice(0, count) }));
    expect(texts).to.deep.equal([
      undefined,
      first,
      `${first} 1 more station has none.`,
      `${first} 2 more stations have none.`,
    ]);
  });
});
