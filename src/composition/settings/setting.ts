import { z } from 'zod';

/** How a value is written: seconds with `s`, seconds of whole hours with `h`, and everything else as it is. */
export type SettingKind = 'plain' | 'duration' | 'period';

export interface Setting<S extends z.ZodType = z.ZodType> {
  /** Reads the text of the setting, or undefined. */
  readonly schema: S;
  /** The text that stands for a setting that is not given; empty if none does. */
  readonly initial: string;
  /** Meaning of the setting, as sentences in Markdown, for docs/configuration.md. */
  readonly text: string;
  readonly kind: SettingKind;
  /** Whether it is never printed, and may come from the file of the setting with `_FILE`. */
  readonly secret: boolean;
  /** Whether it takes effect on SIGHUP. */
  readonly reloads: boolean;
}

type Facts = Partial<Pick<Setting, 'kind' | 'secret' | 'reloads'>>;
const USUAL = { kind: 'plain', secret: false, reloads: false } as const;

/** A setting with a default. */
export function setting<S extends z.ZodType<unknown, string>>(
  schema: S,
  initial: z.input<S>,
  text: string,
  facts: Facts = {},
): Setting<z.ZodPrefault<S>> {
  return { ...USUAL, ...facts, schema: schema.prefault(initial as never), initial, text };
}

/** A setting without a default. */
export function optional<S extends z.ZodType<unknown, string>>(
  schema: S,
  text: string,
  facts: Facts = {},
): Setting<z.ZodOptional<S>> {
  return { ...USUAL, ...facts, schema: schema.optional(), initial: '', text };
}

export const word = z.string().min(1, 'Must not be empty');
