import type { Hook, HookState } from '#domain/hooks/hook.js';
import { describeTarget, type HookTarget } from '#domain/hooks/hook-target.js';
import type { Directory } from '../../stations/station-directory.js';

/** A hook without secrets and with ids of stations, to be shown to people. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface HookView extends HookState {
  readonly name: string;
  readonly kind: HookTarget['kind'];
  /** Name of the kind of service; null for other targets. */
  readonly service: string | null;
  /** Description of the target without secrets. */
  readonly target: string;
  /** Whether messages are signed. */
  readonly signed: boolean;
  readonly allowPrivate: boolean;
  /** Ids of the stations, without removed stations; null for all stations. */
  readonly stations: readonly string[] | null;
  /** Whether new forecasts are sent too. */
  readonly forecasts: boolean;
  readonly paused: boolean;
  readonly since: number;
}

const NO_STATE: HookState = { deliveredAt: null, failingSince: null, reason: null };

export function hookView(
  { name, target, stations, forecasts = false, paused, since }: Hook,
  state: HookState | undefined,
  { byNumber }: Directory,
): HookView {
  return {
    ...(state ?? NO_STATE),
    name,
    kind: target.kind,
    service: target.kind === 'service' ? target.service : null,
    target: describeTarget(target),
    signed: target.kind === 'post' && target.secret !== undefined,
    allowPrivate: target.kind !== 'command' && target.allowPrivate,
    stations: stations?.flatMap((number) => byNumber.get(number)?.id ?? []) ?? null,
    forecasts,
    paused,
    since,
  };
}

/** The fields of a hook that a request replaces, as they are shown. */
export function hookSettings(hook: HookView) {
  const { name, kind, target, signed, allowPrivate, stations, forecasts, since } = hook;
  return { name, kind, target, signed, allowPrivate, stations, forecasts, since };
}

/**
 * The settings of a hook as text, for comparisons. Secrets are not part of the text, because a short secret could be guessed with
 * the help of a hash of the text.
 */
export function hookText(hook: HookView): string {
  return JSON.stringify(hookSettings(hook));
}
