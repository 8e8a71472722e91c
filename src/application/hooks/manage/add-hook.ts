import type { Caller } from '#domain/accounts/audit-event.js';
import { changedInMeantime, DomainError } from '#domain/domain-error.js';
import { acceptHookName, type Hook, MAX_HOOK_STATIONS, MAX_HOOKS } from '#domain/hooks/hook.js';
import { quoted } from '#domain/quoted.js';
import { acceptTarget, describeTarget, type HookTarget } from '#domain/hooks/hook-target.js';
import { recordedYear } from '#domain/weather/stations/demo.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { Delivery } from '../../ports/delivery.js';
import { unknownStation } from '../../stations/find-station.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import { assertDeliverable } from '../assert-deliverable.js';
import type { HookRecords } from '../hook-records.js';
import { isKept, keptTarget, type KeptTarget } from '../kept-target.js';
import { type HookView, hookText, hookView } from './hook-view.js';

export interface NewHook {
  readonly name: string;
  /** The target; a `KeptTarget` keeps settings of the replaced hook. */
  readonly target: HookTarget | KeptTarget;
  /** Ids of stations; null for all stations. */
  readonly stations: readonly string[] | null;
  /** Whether new forecasts of the stations are sent too. Default: false. */
  readonly forecasts?: boolean;
}

/** Adds a hook. Its target gets the rows, and if wanted the forecasts, that are newer than the hook. */
export class AddHook {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #records: HookRecords;
  readonly #audit: AuditTrail;
  readonly #delivery: Pick<Delivery, 'refusal'>;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    records: HookRecords,
    audit: AuditTrail,
    delivery: Pick<Delivery, 'refusal'>,
  ) {
    this.#delivery = delivery;
    this.#clock = clock;
    this.#directory = directory;
    this.#records = records;
    this.#audit = audit;
  }

  /**
   * @param replaces whether a hook with this name is replaced. If the stations are the same, the new hook continues where the
   *   replaced hook stopped. If the stations differ, the new hook gets only rows that are newer than the new hook
   * @param expected text of the replaced hook (see `hookText`); null if no hook may have this name; undefined for any state
   * @throws DomainError PRECONDITION_FAILED, REQUEST_INVALID, STATION_UNKNOWN; HOOK_EXISTS if the name is in use and `replaces` is false
   */
  async execute(
    input: NewHook,
    caller: Caller,
    replaces = false,
    expected?: string | null,
  ): Promise<HookView> {
    const name = acceptHookName(input.name);
    const { sent, stored } = await this.#targetOf(input.target, name);
    const target = acceptTarget(sent);
    if (input.target !== 'keep') assertDeliverable(this.#delivery, target, 'hook');
    const directory = await this.#directory.current();
    const ids = input.stations;
    assertStations(target, ids);
    const forecasts = input.forecasts === true ? ({ forecasts: true } as const) : {};
    assertForecasts(target, forecasts);
    const stations = ids === null ? null : numbersOf(ids, directory);
    assertPresent(target, ids ?? [], directory);
    const now = this.#clock.now();
    let hook: Hook = { name, target, stations, ...forecasts, paused: false, since: now };
    let keepsPositions = false;
    const edit = (hooks: readonly Hook[]) => {
      const existing = hooks.find((one) => one.name === name);
      const text = existing === undefined ? null : hookText(hookView(existing, undefined, directory));
      const isChanged = stored !== undefined && !areEqual(existing?.target, stored);
      if (isChanged || (expected !== undefined && expected !== text)) throw changedInMeantime('hook', name);
      if (existing !== undefined && !replaces)
        throw new DomainError('HOOK_EXISTS', `There is already a hook ${quoted(name)}. Remove it first.`);
      const others = hooks.filter((one) => one !== existing);
      if (others.length >= MAX_HOOKS)
        throw new DomainError(
          'REQUEST_INVALID',
          `There are ${MAX_HOOKS} hooks, which is the maximum: remove one of them.`,
        );
      keepsPositions = false;
      if (existing !== undefined && areSame(existing.stations, stations)) {
        keepsPositions = true;
        hook = { ...hook, paused: existing.paused, since: existing.since };
      }
      return [...others, hook];
    };
    await this.#records.change(edit, now);
    if (!keepsPositions) await this.#records.forget(name);
    const detail = { target: describeTarget(target), stations: ids ?? '*', ...forecasts } as const;
    await this.#audit.record(caller, 'hook-add', name, 'done', detail);
    return hookView(hook, undefined, directory);
  }

  /**
   * @returns the target without the checks of `acceptTarget`; and the stored target whose settings it keeps
   * @throws DomainError REQUEST_INVALID if there is no target to keep, or if only the command line may change it
   */
  async #targetOf(
    sent: NewHook['target'],
    name: string,
  ): Promise<{ readonly sent: HookTarget; readonly stored?: HookTarget }> {
    if (!isKept(sent)) return { sent };
    const stored = (await this.#records.list()).find((hook) => hook.name === name)?.target;
    if (stored === undefined) throw new DomainError('REQUEST_INVALID', 'A new hook needs a target.');
    assertChangeable(stored, 'hook');
    return { sent: keptTarget(sent, stored), stored };
  }
}

/**
 * A target that only the command line may set can be kept only by the command line.
 *
 * @param kind the word for the owner of the target
 * @throws DomainError REQUEST_INVALID
 */
export function assertChangeable(target: HookTarget, kind: 'alarm' | 'hook'): void {
  if (target.kind !== 'command' && !target.allowPrivate) return;
  throw new DomainError(
    'REQUEST_INVALID',
    `Only the command line can change this ${kind}, because its target is a program or may be a private address.`,
  );
}

/** Whether two stored targets are equal. Both come from the store, so that their fields have the same order. */
function areEqual(a: HookTarget | undefined, b: HookTarget): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The numbers of stations, in rising order without repetition. @throws DomainError STATION_UNKNOWN */
function numbersOf(ids: readonly string[], { byId }: Directory): readonly number[] {
  const numbers = ids.map((id) => {
    const station = byId.get(id);
    if (station === undefined) throw unknownStation(id);
    return station.number;
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** @throws DomainError REQUEST_INVALID if a weather service would get values that only seem to be measured now */
function assertPresent({ kind }: HookTarget, ids: readonly string[], { byId }: Directory): void {
  for (const id of kind === 'service' ? ids : []) {
    const station = byId.get(id);
    const year = station && recordedYear(station);
    if (year !== undefined)
      throw new DomainError(
        'REQUEST_INVALID',
        `The values of ${quoted(id)} were recorded in ${year}. A weather service would show them as the weather of today.`,
      );
  }
}

function areSame(a: readonly number[] | null, b: readonly number[] | null): boolean {
  return a?.join() === b?.join();
}

function assertForecasts({ kind }: HookTarget, { forecasts = false }: Pick<NewHook, 'forecasts'>): void {
  if (kind === 'service' && forecasts)
    throw new DomainError(
      'REQUEST_INVALID',
      'Weather services accept no forecasts. A hook with forecasts needs a URL or a program as target.',
    );
}

function assertStations({ kind }: HookTarget, stations: readonly string[] | null): void {
  if (kind === 'service' && stations?.length !== 1)
    throw new DomainError(
      'REQUEST_INVALID',
      'A hook that uploads to a weather service needs exactly one station, because an account has one station.',
    );
  if (stations?.length === 0)
    throw new DomainError('REQUEST_INVALID', 'A hook needs at least one station, or all stations.');
  if ((stations?.length ?? 0) > MAX_HOOK_STATIONS)
    throw new DomainError(
      'REQUEST_INVALID',
      `A hook can name at most ${MAX_HOOK_STATIONS} stations: name fewer, or use all stations.`,
    );
}
