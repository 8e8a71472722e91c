import type { Options, Schemas } from '../../api.js';
import { targetDraft, TARGET_SETTINGS, type TargetDraft } from './target-draft.js';

export type HookBody = Options<'/v1/hooks/{name}', 'put'>[0]['body'];

export interface HookDraft {
  readonly stations: readonly string[] | null;
  readonly forecasts: boolean;
  readonly target: TargetDraft;
}

/** The names of the fields of the form. */
export const HOOK_FIELDS = ['name', 'stations', 'forecasts', ...TARGET_SETTINGS];

/** Converts the values of the form. */
export function hookDraft(
  values: Readonly<Record<string, string>>,
  stored: Schemas['HookSettings'] | undefined,
): HookDraft {
  const { stations = '' } = values;
  const ids = stations.split(/[\s,]+/).filter((id) => id !== '');
  return {
    stations: stations === '*' ? null : ids,
    forecasts: values['forecasts'] !== undefined,
    target: targetDraft(values, stored && storedTarget(stored)),
  };
}

export function storedTarget({ kind, service = kind, target }: Schemas['HookSettings']) {
  return { kind: service, shown: target };
}

/** Converts a stored hook, so that a form can compare it with its own values. */
export function storedDraft({ stations, forecasts, target }: Schemas['HookSettings']): HookDraft {
  return { stations, forecasts, target };
}

export function hookBody({ stations, forecasts, target }: HookDraft): HookBody {
  const ids = stations === null ? null : [...stations];
  const isNew = target !== null && typeof target === 'object';
  return { stations: ids, forecasts, keep_target: !isNew, ...(isNew && { target }) };
}
