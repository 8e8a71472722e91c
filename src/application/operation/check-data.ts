import type { Caller } from '#domain/accounts/audit-event.js';
import { alarmDamage } from '#domain/alarms/alarm.js';
import { overrideDamage } from '#domain/weather/quality/override.js';
import type { Station } from '#domain/weather/station.js';
import { columnOfDamage, describeStationDamage } from '#domain/weather/stations/stored-station.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Announcer } from '../ports/announcer.js';
import type { Calendar } from '../ports/calendar.js';
import type { DataVerifier, Verification, VerifyWatch } from '../ports/data-verifier.js';
import type { OverrideStore } from '../ports/override-store.js';
import type { StationStore } from '../ports/station-store.js';
import type { CheckForecasts, DamagedForecast } from './check-forecasts.js';

/** An unreadable field of a station, of a quality override or of an alarm. */
export interface DamagedStation {
  /** Id of the station; `*` for an alarm for all stations. */
  readonly station: string;
  /**
   * The damaged column: a column of the tables of stations; `overrule.verdict` for a quality override, which is a decision of an
   * administrator that values are good or bad; or `alarm`.
   */
  readonly column: string;
  /** The fault, as the end of a sentence that begins with the column. */
  readonly reason: string;
}

/** A damaged field, with advice for its repair. */
interface Damage {
  readonly fault: DamagedStation;
  readonly advice: string;
}

export interface CheckedData extends Verification {
  readonly stations: readonly DamagedStation[];
  /** Damaged records of forecasts. */
  readonly forecasts: readonly DamagedForecast[];
  /** Describes the damage of each damaged station, quality override and alarm, with advice for the repair. */
  readonly advice: readonly string[];
}

export interface CheckDataDependencies {
  readonly verifier: DataVerifier;
  readonly stations: StationStore;
  readonly overrides: OverrideStore;
  readonly alarms: AlarmStore;
  readonly forecasts: Pick<CheckForecasts, 'execute'>;
  readonly announcer: Announcer;
  readonly trail: AuditTrail;
  readonly calendar: Calendar;
}

/**
 * Finds damaged observations and records of forecasts, and deletes them on request. Also finds damaged stations, quality overrides and
 * alarms, which an operator must repair.
 */
export class CheckData {
  readonly #verifier: DataVerifier;
  readonly #stations: StationStore;
  readonly #overrides: OverrideStore;
  readonly #alarms: AlarmStore;
  readonly #forecasts: CheckDataDependencies['forecasts'];
  readonly #announcer: Announcer;
  readonly #trail: AuditTrail;
  readonly #calendar: Calendar;

  constructor(dependencies: CheckDataDependencies) {
    this.#verifier = dependencies.verifier;
    this.#stations = dependencies.stations;
    this.#overrides = dependencies.overrides;
    this.#alarms = dependencies.alarms;
    this.#forecasts = dependencies.forecasts;
    this.#announcer = dependencies.announcer;
    this.#trail = dependencies.trail;
    this.#calendar = dependencies.calendar;
  }

  /**
   * @param discard whether damaged observations and forecasts are deleted permanently, and wrong data that were computed from them are
   *   computed again or dropped. The result describes the damage before the deletion.
   * @throws the reason of the signal
   */
  async execute(
    { discard }: { readonly discard: boolean },
    caller: Caller,
    progress: Omit<VerifyWatch, 'daysOf'> = {},
  ): Promise<CheckedData> {
    const daysOf: VerifyWatch['daysOf'] = (timeZone, start, end) =>
      this.#calendar.hasZone(timeZone) ? this.#calendar.buckets('day', timeZone, 0, start, end) : [];
    const watch = { ...progress, daysOf };
    const { signal } = progress;
    if (!discard) {
      const found = await this.#verifier.verify(watch);
      return await this.#withStations(found, await this.#forecasts.execute(false, signal));
    }
    const found = await this.#verifier.discard(watch);
    const forecasts = await this.#forecasts.execute(true, signal);
    const rows = found.damage.reduce((sum, damage) => sum + damage.rows, 0);
    if (found.damage.length > 0) await this.#trail.record(caller, 'observations-discard', `${rows} rows`);
    if (forecasts.length > 0)
      await this.#trail.record(caller, 'observations-discard', `forecasts: ${forecasts.length} records`);
    // The announcement `missed` means that any data may have changed. It is sent because clients may display data that were
    // deleted or computed again.
    if (found.damage.length + found.differences.length + forecasts.length > 0)
      this.#announcer.announce({ kind: 'missed' });
    return await this.#withStations(found, forecasts);
  }

  async #withStations(found: Verification, forecasts: readonly DamagedForecast[]): Promise<CheckedData> {
    const hidden = (await this.#stations.hidden()).map(({ station }) => station);
    const all = [...(await this.#stations.list()), ...hidden];
    const damaged = all.filter(isDamaged);
    const columns = damaged.flatMap(({ id, damaged: faults = [] }) =>
      faults.map((fault) => ({ station: id, column: columnOfDamage(fault), reason: fault.reason })),
    );
    const others = [...(await this.#damagedOverrides(all)), ...(await this.#damagedAlarms(all))];
    return {
      ...found,
      forecasts,
      stations: [...columns, ...others.map(({ fault }) => fault)],
      advice: [...damaged.map(describeStationDamage), ...others.map(({ advice }) => advice)],
    };
  }

  async #damagedAlarms(stations: readonly Station[]): Promise<readonly Damage[]> {
    return (await this.#alarms.alarms()).flatMap((alarm) => {
      const damage = alarmDamage(alarm);
      if (damage === undefined) return [];
      const { name } = alarm;
      const station = stations.find(({ number }) => number === alarm.station)?.id ?? '*';
      const advice =
        `The alarm ${name} ${damage}. It is not evaluated. Remove it with "weatherd alarm remove ${name}" and add it ` +
        'again, or restore a backup.';
      return { fault: { station, column: 'alarm', reason: `${name} ${damage}` }, advice };
    });
  }

  async #damagedOverrides(stations: readonly Station[]): Promise<readonly Damage[]> {
    const damaged: Damage[] = [];
    for (const { id, number } of stations)
      for (const override of await this.#overrides.list(number)) {
        const damage = overrideDamage(override);
        if (damage === undefined) continue;
        const reason = `of the override ${override.id} ${damage}`;
        const advice =
          `The verdict of the override ${override.id} of the station ${JSON.stringify(id)} ${damage}. It is not applied. ` +
          `Remove it with "weatherd override remove --station ${id} ${override.id}" and add it again, or restore a backup.`;
        damaged.push({ fault: { station: id, column: 'overrule.verdict', reason }, advice });
      }
    return damaged;
  }
}

function isDamaged({ damaged }: Station): boolean {
  return damaged !== undefined;
}
