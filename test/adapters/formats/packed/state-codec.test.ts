import { expect } from 'chai';
import fc from 'fast-check';
import { decodeState, encodeState } from '#adapters/formats/packed/state-codec.js';
import { flagRows } from '#domain/weather/quality-control.js';
import { NO_RULES } from '#domain/weather/quality/station-rules.js';
import { StationState } from '#domain/weather/station-state.js';

const START = Date.UTC(2024, 0, 1);

describe('state-codec', () => {
  const value = fc.constantFrom(0, -0, 0.1, 14, 40, 99, Number.NaN);
  const rows = fc.array(fc.dictionary(fc.constantFrom('1', '3', '6', '9', '20'), value), { maxLength: 8 });
  const stateOf = (sent: readonly Readonly<Record<string, number>>[]) => {
    const state = new StationState();
    for (const [index, row] of sent.entries()) {
      const columns = {
        times: Float64Array.of(START + index * 1_200_000),
        values: new Map(Object.entries(row).map(([name, one]) => [Number(name), Float64Array.of(one)])),
        flags: new Map<number, Uint8Array>(),
      };
      flagRows(columns, 0, 1, NO_RULES, state.tail);
      state.advance(columns);
    }
    return state;
  };

  it('gives back each state bit for bit, in less space', () => {
    fc.assert(
      fc.property(rows, (sent) => {
        const { data } = stateOf(sent);
        const blob = encodeState(data);
        expect(blob.length).to.be.below(data.byteLength);
        const decoded = new StationState(decodeState(blob)).data;
        expect(new Uint8Array(decoded.buffer)).to.deep.equal(new Uint8Array(data.buffer));
      }),
      { numRuns: 500 },
    );
  });

  it('reads the numbers that version 1.0.0 wrote, wherever they lie in a buffer', () => {
    fc.assert(
      fc.property(rows, fc.nat(7), (sent, offset) => {
        const { data } = stateOf(sent);
        const buffer = Buffer.alloc(data.byteLength + offset);
        buffer.set(new Uint8Array(data.buffer), offset);
        expect(decodeState(buffer.subarray(offset))).to.deep.equal(data);
      }),
    );
  });
});
