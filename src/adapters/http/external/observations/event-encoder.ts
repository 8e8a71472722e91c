import type { LiveEncoder, LiveStationChange } from '#application/observations/live/live-event.js';
import type { DerivedQuantity } from '#domain/weather/derived/quantity.js';
import { verdictOf } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { converter, unitIn, type UnitSystem } from '#domain/weather/units.js';
import type { Variable } from '#domain/weather/variables.js';
import { toRaisedFields } from '../alarms/alarm-fields.js';
import { eventText, keepAliveText, openingText } from '../../core/reply/event-stream.js';
import { toDerivedFields } from './latest/derived-fields.js';
import { type IncludedName, toRecentFields } from './latest/recent-fields.js';
import { toTime } from './weather-fields.js';

/** The prepared texts and the conversion of a variable. */
interface Field {
  /** The name as JSON: `"air_temperature"`. */
  readonly name: string;
  /** The member of `units` as JSON: `"air_temperature":"°C"`. */
  readonly unit: string;
  readonly convert: (value: number) => number;
}

/**
 * Writes a server-sent event for each change of the rows of a station. The event has the newest values of the station, in the
 * same fields as `GET /v1/stations/{id}/observations/latest`.
 */
export class EventEncoder implements LiveEncoder {
  readonly key: string;
  /** The fields by number of the variable. */
  readonly #fields: readonly (Field | undefined)[];
  readonly #system: UnitSystem;
  readonly #feelsLike: DerivedQuantity;
  readonly #included: readonly IncludedName[];
  /** The time that was written last, in milliseconds since 1970, and the text of this time. */
  #time = Number.NaN;
  #timeText = '';

  /**
   * @param feelsLike the quantity `feels_like`
   * @param included further fields of events, as in `include` of the newest values
   */
  constructor(
    variables: readonly Variable[],
    system: UnitSystem,
    feelsLike: DerivedQuantity,
    included: readonly IncludedName[] = [],
  ) {
    this.#system = system;
    this.#feelsLike = feelsLike;
    this.#included = included;
    const fields: Field[] = [];
    for (const variable of variables) {
      const unit = unitIn(system, variable);
      const name = JSON.stringify(variable.name);
      const convert = converter(variable, unit, 'unit');
      fields[variable.number] = { name, unit: `${name}:${JSON.stringify(unit)}`, convert };
    }
    this.#fields = fields;
    this.key = `${system} ${included.toSorted().join('+')} ${Object.keys(fields).join()}`;
  }

  change(change: LiveStationChange, id: string | undefined): Uint8Array {
    return Buffer.from(eventText({ id, event: 'observation', data: this.#dataOf(change) }));
  }

  reset(reason: string, id: string): Uint8Array {
    return Buffer.from(eventText({ id, event: 'reset', data: JSON.stringify({ reason }) }));
  }

  forecast({ id }: Station, issued: number): Uint8Array {
    const data = JSON.stringify({ station: id, issued: toTime(issued) });
    return Buffer.from(eventText({ id: undefined, event: 'forecast', data }));
  }

  opening(id: string): Uint8Array {
    return Buffer.from(openingText(id));
  }

  keepAlive(id: string | undefined): Uint8Array {
    return Buffer.from(keepAliveText(id));
  }

  /** The event has no `age` fields, because the same event may be sent again later, and the ages would then be wrong. */
  #dataOf(change: LiveStationChange): string {
    const { station, from, to, revision, lastSeen, each } = change;
    let units = '';
    let latest = '';
    const present = new Set<number>();
    each((number, time, value, flags) => {
      present.add(number);
      const field = this.#fields[number];
      if (field === undefined) return;
      const comma = units === '' ? '' : ',';
      units += comma + field.unit;
      // JSON has neither -0 nor Infinity: `+ 0` turns -0 into 0, and an infinite value is written as null.
      const converted = field.convert(value) + 0;
      const text = Number.isFinite(converted) ? String(converted) : 'null';
      latest += `${comma}${field.name}:{"time":"${this.#timeOf(time)}","value":${text},"verdict":"${verdictOf(flags)}"}`;
    });
    const before = {
      station: station.id,
      from: this.#timeOf(from),
      to: this.#timeOf(to),
      revision,
      last_seen: lastSeen === null ? null : this.#timeOf(lastSeen),
    };
    return `${JSON.stringify(before).slice(0, -1)},"units":{${units}},"latest":{${latest}}${this.#moreText(change, present)}}`;
  }

  #moreText(change: LiveStationChange, present: ReadonlySet<number>): string {
    if (this.#included.length === 0) return '';
    const isShown = (variable: number) => present.has(variable) && this.#fields[variable] !== undefined;
    const style = { units: this.#system };
    const fields = {
      ...toRecentFields(change, this.#included, style, isShown),
      ...(this.#included.includes('derived') &&
        toDerivedFields(change.station, change.each, style, this.#feelsLike)),
      ...(this.#included.includes('alarms') && toRaisedFields(change.alarms, this.#system)),
    };
    const text = JSON.stringify(fields).slice(1, -1);
    return text === '' ? '' : `,${text}`;
  }

  /** The text of a time. The last text is cached, because most values of an event have the same time. */
  #timeOf(time: number): string {
    if (time !== this.#time) [this.#time, this.#timeText] = [time, toTime(time)];
    return this.#timeText;
  }
}
