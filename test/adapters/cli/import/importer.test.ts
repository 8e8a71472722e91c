import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ImportJournal } from '#adapters/imports/import-journals.js';
import { Importer } from '#adapters/imports/importer.js';
import type { ReadChunk } from '#adapters/formats/tables/read-notes.js';
import type { RecordObservations } from '#application/observations/ingest/record-observations.js';
import type { KeepSourceFlags } from '#application/observations/source-flags/keep-source-flags.js';
import type { WriteEvents } from '#application/observations/ingest/write-events.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { SentRows } from '#domain/weather/sent-rows.js';

const CHUNKS = 20;
const ROWS = 100;

describe('Importer', () => {
  it('reads one chunk while it writes the one before, and no further', async () => {
    let [read, written, most] = [0, 0, 0];
    async function* chunks(): AsyncGenerator<ReadChunk> {
      for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
        const lines = Float64Array.from({ length: ROWS }, (_, row) => read + row + 1);
        read += ROWS;
        most = Math.max(most, read - written);
        yield {
          parts: [{ lines, rows: { stations: 'x', times: new Float64Array(ROWS), columns: [] } }],
          faults: [],
          line: read,
        };
      }
    }
    const record = {
      execute: async ({ times }: SentRows) => {
        // Far longer than reading a chunk.
        for (let turn = 0; turn < 10; turn += 1) await setImmediate();
        written += times.length;
        const receipt = { inserted: times.length, updated: 0, unchanged: 0, rejected: 0, rejections: [] };
        return { ...receipt, repeated: 0, repetitions: [] };
      },
    } as unknown as RecordObservations;
    const keepFlags = { execute: () => Promise.resolve(0) } as unknown as KeepSourceFlags;
    const audit = { flush: () => Promise.resolve() } as unknown as WriteEvents;
    const reactions = {
      reported: () => undefined,
      failed: () => undefined,
      written: () => Promise.resolve(),
    };
    const journal = new ImportJournal(
      (() => ({ execute: () => Promise.resolve(1) })) as never,
      'x.csv',
      undefined,
    );
    const importer = new Importer(record, keepFlags, audit, reactions, journal, COMMAND_LINE);
    await importer.run(chunks(), 0);
    expect(importer.counts).to.include({ rows: CHUNKS * ROWS, inserted: CHUNKS * ROWS });
    expect(most).to.equal(2 * ROWS);
  });
});
