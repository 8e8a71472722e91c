import type { Reply } from '../../api.js';

/** The settings for one kind of console or program, as the API returns them with a new upload key. */
export type Endpoint = Reply<'/v1/upload-keys', 'post'>['endpoints'][number];

/** Consoles and programs by the names on their boxes. */
export interface Make {
  /** A name of a manufacturer or program; `other` for all other ones. */
  readonly name: string;
  /** The profiles of the API that fit, the most frequent one first. */
  readonly profiles: readonly string[];
  /** Whether the values come without an upload key. */
  readonly needsNoKey?: true;
}

const BRESSER = ['bresser-2024', 'bresser'];

/** The makes in the order of their buttons. */
export const MAKES: readonly Make[] = [
  { name: 'Ecowitt', profiles: ['ecowitt', 'wu'] },
  { name: 'Froggit', profiles: ['ecowitt', 'wu'] },
  { name: 'Ambient', profiles: ['ambient', 'wu'] },
  { name: 'Bresser', profiles: BRESSER },
  { name: 'Garni', profiles: BRESSER },
  { name: 'Davis', profiles: ['weewx', 'cumulus', 'meteobridge'] },
  { name: 'WeeWX', profiles: ['weewx', 'weewx-more'] },
  { name: 'Cumulus MX', profiles: ['cumulus'] },
  { name: 'Meteobridge', profiles: ['meteobridge'] },
  { name: 'Home Assistant', profiles: ['home-assistant'] },
  { name: 'MQTT', profiles: ['mqtt'], needsNoKey: true },
  { name: 'other', profiles: ['wu', 'wu-fixed', 'curl', 'curl-api', 'ttn'] },
];

/** The fields of the form of a console, in the order of its screen. */
const FIELDS = ['protocol', 'server', 'path', 'port', 'id', 'password', 'interval'] as const;

export type FieldName = (typeof FIELDS)[number];

/** What a person types into one field of a console. */
export interface ConsoleField {
  readonly name: FieldName;
  /** The word on the screen of the console, if it is known. */
  readonly word: string | undefined;
  readonly value: string;
  /** Whether the person types the value. Other values are chosen from a list, so that nobody copies them. */
  readonly isTyped: boolean;
  /** Whether the value contains the secret. */
  readonly isSecret: boolean;
}

/** The fields that exist on the screen of a console, in its order. @param secret the upload key */
export function fieldsOf(endpoint: Endpoint, secret: string): readonly ConsoleField[] {
  return FIELDS.flatMap((name) => {
    const value = endpoint[name];
    if (value === undefined) return [];
    return {
      name,
      word: endpoint.words?.[name],
      value: String(value),
      isTyped: name !== 'protocol',
      isSecret: String(value).includes(secret),
    };
  });
}

/** The settings of a make, in the order of its profiles. */
export function endpointsOf(make: Make, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return make.profiles.flatMap((name) => endpoints.find(({ profile }) => profile === name) ?? []);
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  œ: 'oe',
};

/** Proposes the id of a station: `Garten in Köln` becomes `garten-in-koln`. */
export function proposedId(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæøđłþœ]/g, (letter) => LETTERS[letter] ?? '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64);
  return plain.replaceAll(/^-|-$/g, '');
}
