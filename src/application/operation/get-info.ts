/** What the service is, as package.json has it. */
export interface ServiceIdentity {
  /** Semantic version `<major>.<minor>.<patch>`. */
  readonly version: string;
  /** URL of the source repository. */
  readonly repository: string;
}

export interface ApiIdentity extends ServiceIdentity {
  /** Which of the two APIs it is. */
  readonly name: string;
}

export type ApiName = 'external' | 'internal';

/** Tells which service, version and API a caller has reached. */
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
