import { MILLISECONDS } from '#domain/time.js';
import { verdictOf } from '#domain/weather/series.js';
import type { ReadSums } from '../../observations/read/current/read-sums.js';
import type { Message } from '../../ports/delivery.js';
import type { TargetKinds } from '../target-kinds.js';
import { rowMessage, type StationRow } from './row-message.js';
import type { OutboxSource } from './row-outbox.js';
import { sentWeather } from './sent-weather.js';

/** Maximum age of a row in milliseconds. Weather services show every upload as current weather. */
const MAX_AGE = 30 * MILLISECONDS.minute;

export interface NewestSource extends OutboxSource {
  readonly sums: ReadSums;
  readonly kinds: TargetKinds;
}

/** The newest row of a station as a message to a weather service. */
export interface NewestWeather {
  /** Time of the row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly message: Message;
}

/**
 * Reads the newest row of a station, without values that failed quality control.
 *
 * @param hook name of the hook
 * @param number `Station.number`
 * @param wants whether a row of this time is wanted
 * @returns undefined if the row is too old or not wanted, and if no value is left
 */
export async function newestWeather(
  { clock, directory, observations, sums }: NewestSource,
  hook: string,
  number: number,
  wants: (time: number) => boolean = () => true,
): Promise<NewestWeather | undefined> {
  const station = (await directory.current()).byNumber.get(number);
  const [newest] = await observations.newest([number]);
  const time = newest?.lastSeen ?? -Infinity;
  if (station === undefined || time <= clock.now() - MAX_AGE || !wants(time)) return undefined;
  const values: StationRow['values'][number][] = [];
  newest?.each((variable, at, value, flags) => {
    if (at === time && verdictOf(flags) !== 'fail') values.push({ variable, value, flags });
  });
  if (values.length === 0) return undefined;
  const row = { time, values };
  const weather = sentWeather(station, row, await sums.execute(station, time));
  return { time, message: { ...rowMessage({ hook, station: station.id, number }, row), weather } };
}
