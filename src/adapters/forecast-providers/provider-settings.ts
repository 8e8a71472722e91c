/** The settings of all providers of forecasts. */
export interface ProviderSettings {
  /** Version of the service, for `User-Agent`. */
  readonly version: string;
  /** E-mail address or address of a page of the operator. */
  readonly contact?: string | undefined;
  /** Key of Open-Meteo for commercial use. */
  readonly apiKey?: string | undefined;
  /** Addresses in place of those of the providers: scheme, host and an optional prefix of the path. */
  readonly openMeteoUrl?: string | undefined;
  readonly previousRunsUrl?: string | undefined;
  readonly metNorwayUrl?: string | undefined;
}

/** The value of `User-Agent`: the program, and who runs it. */
export function userAgentOf({ version, contact }: ProviderSettings): string {
  return contact === undefined ? `weatherd/${version}` : `weatherd/${version} ${contact}`;
}

/** An address below a base, whose path is a prefix. */
export function addressBelow(base: string, path: string): URL {
  return new URL(`${base.endsWith('/') ? base.slice(0, -1) : base}${path}`);
}
