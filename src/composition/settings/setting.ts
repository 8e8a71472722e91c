import { z } from 'zod';

/** The format in which `weatherd config` prints a value: `duration` in seconds (`90s`), `period` in hours (`24h`), `size` in KiB (`1024KiB`), `plain` unchanged. */
export type SettingKind = 'plain' | 'duration' | 'period' | 'size';

export interface Setting<S extends z.ZodType = z.ZodType> {
  /** Validates and converts the text of the setting; the text is undefined if the setting is not set. */
  readonly schema: S;
  /** The text of the default; empty if there is no default. */
  readonly initial: string;
  /** Meaning of the setting, as sentences in Markdown, for docs/configuration.md. */
  readonly text: string;
  readonly kind: SettingKind;
  /** Whether the value is never printed and may come from a file. For such a setting `X`, the setting `X_FILE` names the file. */
  readonly secret: boolean;
  /** Whether a changed value takes effect on SIGHUP, without a restart. */
  readonly reloads: boolean;
}

type Facts = Partial<Pick<Setting, 'kind' | 'secret' | 'reloads'>>;
const DEFAULTS = { kind: 'plain', secret: false, reloads: false } as const;

/** A setting with a default. */
export function setting<S extends z.ZodType<unknown, string>>(
  schema: S,
  initial: z.input<S>,
  text: string,
  facts: Facts = {},
): Setting<z.ZodPrefault<S>> {
  return { ...DEFAULTS, ...facts, schema: schema.prefault(initial as never), initial, text };
}

/** A setting without a default. */
export function optional<S extends z.ZodType<unknown, string>>(
  schema: S,
  text: string,
  facts: Facts = {},
): Setting<z.ZodOptional<S>> {
  return { ...DEFAULTS, ...facts, schema: schema.optional(), initial: '', text };
}

export const word = z.string().min(1, 'Must not be empty');

/** Texts separated by commas. */
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
