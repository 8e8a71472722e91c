import type { Options } from '../../api.js';

/** A target in a request. */
export type SentTarget = Extract<Options<'/v1/alarms/{name}', 'put'>[0]['body']['target'], object>;

/** The target in the form of a hook or an alarm: a new one, the shown text of the stored one, which stays, or none. */
export type TargetDraft = SentTarget | string | null;

/** A stored target, as the API shows it. */
export interface StoredTarget {
  /** `post`, `command`, or the name of a service. */
  readonly kind: string;
  readonly shown: string;
}

/** The settings in the order of the form. */
export const TARGET_SETTINGS = ['account', 'url', 'secret', 'body'] as const;

/** Converts the values of the form. Settings that are not typed stay as they are stored, if the kind is the same. */
export function targetDraft(
  values: Readonly<Record<string, string>>,
  stored: StoredTarget | undefined,
): TargetDraft {
  const { target: kind = 'none' } = values;
  if (kind === 'none') return null;
  if (kind === 'keep') return stored?.shown ?? null;
  const typed = TARGET_SETTINGS.filter((name) => (values[name] ?? '') !== '');
  return {
    kind,
    ...Object.fromEntries(typed.map((name) => [name, values[name]])),
    ...(kind === stored?.kind && { keep_settings: true }),
  };
}

/** Writes a target for people, without its secret. */
export function targetText(target: SentTarget | string): string {
  if (typeof target === 'string') return target;
  const { kind, account, url } = target;
  return [kind, account, url].filter((part) => part !== undefined).join(' ');
}
