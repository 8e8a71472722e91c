import { fileURLToPath } from 'node:url';
import { NEW_YORK_STATIONS } from '#adapters/formats/import-formats/nycflights13.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { DemoRecording, RecordedRows } from '#application/ports/demo-recording.js';

/** Path of the data file in the package, relative to package.json. Another file in the same folder names the source of the data. */
const DATA = 'demo/nyc-hourly-2013.csv.gz';

/** The recording of the demo, which is a file in the package. */
export class DemoFile implements DemoRecording {
  readonly file = fileURLToPath(new URL(DATA, import.meta.resolve('weatherd/package.json')));
  readonly stations = NEW_YORK_STATIONS;
  readonly #calendar: Calendar;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  async read(): Promise<readonly RecordedRows[]> {
    // The module is loaded only when it is needed, because commands start faster without it.
    const { readRecording } = await import('./read-recording.js');
    const ids = this.stations.map(({ id }) => id);
    return await readRecording(this.file, ids, this.#calendar);
  }
}
