import type { Recording } from '#domain/weather/moved-times.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { StationDraft } from '#domain/weather/station.js';

/** The rows of one station of the demo, in the order of their times. */
export interface RecordedRows extends Pick<SentRows, 'times' | 'columns'>, Recording {
  /** The id of the station at which the rows were recorded. */
  readonly station: string;
}

/** The recording from which the demo is made. */
export interface DemoRecording {
  /** Path of the file with the recording. */
  readonly file: string;
  /** The stations of the recording. */
  readonly stations: readonly StationDraft[];
  /** Reads the recording, which takes part of a second. */
  read(): Promise<readonly RecordedRows[]>;
}
