import type { Options, Schemas } from '../../api.js';

export type SourceBody = Options<'/v1/sources/{name}', 'put'>[0]['body'];
export type SourceKind = Schemas['SourceKind'];

/** The settings in the order of the form. */
export const SETTINGS = ['address', 'account', 'device', 'url', 'file_port'] as const;

/** The prefix of the names of the fields with secrets. */
const SECRET = 'secret:';

export function secretField(name: string): string {
  return SECRET + name;
}

/** Converts the values of the form to the body of a request. Secrets that are not typed stay as they are stored. */
export function sourceBody(
  values: Readonly<Record<string, string>>,
  kind: SourceKind,
  stored: Schemas['SourceSettings'] | undefined,
  mappings: NonNullable<SourceBody['mappings']>,
): SourceBody {
  const textOf = (name: (typeof SETTINGS)[number]) => {
    const text = values[name]?.trim() ?? '';
    return text === '' ? null : text;
  };
  const secrets = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(SECRET) && value !== '' ? [[name.slice(SECRET.length), value] as const] : [],
  );
  const port = textOf('file_port');
  const every = values['every']?.trim() ?? '';
  return {
    kind: kind.name,
    station: values['station'] ?? '',
    address: textOf('address'),
    account: textOf('account'),
    device: textOf('device'),
    url: textOf('url'),
    file_port: port === null ? null : Number(port),
    every: every === '' ? null : Number(every),
    mappings,
    ...(secrets.length > 0 || stored === undefined ? { secrets: Object.fromEntries(secrets) } : {}),
  };
}

/** Converts a stored source, so that a form can compare it with its own values. */
export function storedBody(source: Schemas['SourceSettings']): SourceBody {
  const { kind, station, address, account, device, url, file_port: filePort, every, mappings } = source;
  return {
    kind,
    station: station ?? '',
    address,
    account,
    device,
    url,
    file_port: filePort,
    every,
    mappings,
  };
}
