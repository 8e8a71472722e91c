import type { Options, Schemas } from '../../api.js';

export type HookBody = Options<'/v1/hooks/{name}', 'put'>[0]['body'];

/** A hook in the form. A target that is a text is the shown text of the stored target, which the request keeps. */
export interface HookDraft {
  readonly stations: readonly string[] | null;
  readonly target: string | Pick<HookBody, 'post' | 'upload'>;
}

/** The weather services to which a hook uploads. */
export const SERVICES = ['wunderground', 'pwsweather', 'wow-be'] as const;

/** The names of the fields of the form. */
export const HOOK_FIELDS = ['name', 'stations', 'url', 'secret', 'account', 'key'];

/** Converts the values of the form. */
export function hookDraft(
  values: Readonly<Record<string, string>>,
  stored: Schemas['HookSettings'] | undefined,
): HookDraft {
  const { stations = '', target, url = '', secret = '', account = '', key = '' } = values;
  const ids = stations.split(/[\s,]+/).filter((id) => id !== '');
  const service = SERVICES.find((name) => name === target);
  const sent =
    service === undefined
      ? { post: { url, ...(secret !== '' && { secret }) } }
      : { upload: { service, account, key } };
  return {
    stations: stations === '*' ? null : ids,
    target: target === 'keep' && stored !== undefined ? stored.target : sent,
  };
}

/** Converts a stored hook, so that a form can compare it with its own values. */
export function storedDraft({ stations, target }: Schemas['HookSettings']): HookDraft {
  return { stations, target };
}

export function hookBody({ stations, target }: HookDraft): HookBody {
  const ids = stations === null ? null : [...stations];
  return typeof target === 'string'
    ? { stations: ids, keep_target: true }
    : { stations: ids, keep_target: false, ...target };
}
