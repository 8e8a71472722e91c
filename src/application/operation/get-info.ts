/** Identifies the service, with the values of package.json. */
export interface ServiceIdentity {
  /** Semantic version `<major>.<minor>.<patch>`. */
  readonly version: string;
  /** URL of the source repository. */
  readonly repository: string;
}

export interface ApiIdentity extends ServiceIdentity {
  /** The name of the API. */
  readonly name: string;
}

export type ApiName = 'external' | 'internal';

/** Returns the version of the service and the name of the API that the caller uses. */
export class GetInfo {
  readonly #known: Readonly<Record<ApiName, ApiIdentity>>;

  constructor({ version, repository }: ServiceIdentity) {
    const of = (api: ApiName) => Object.freeze({ version, name: `weatherd ${api} API`, repository });
    this.#known = { external: of('external'), internal: of('internal') };
  }

  /** @returns the same frozen object every time */
  execute(api: ApiName): ApiIdentity {
    return this.#known[api];
  }
}
