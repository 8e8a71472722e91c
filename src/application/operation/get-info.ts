/** What the service is, as package.json has it. */
export interface ServiceIdentity {
  /** Semantic version `<major>.<minor>.<patch>`. */
  readonly version: string;
  /** URL of the source repository. */
  readonly repository: string;
}

export type ApiName = 'external' | 'internal';

/** Tells which service, version and API a caller has reached. */
export class GetInfo {
  readonly #identity: ServiceIdentity;

  constructor(identity: ServiceIdentity) {
    this.#identity = identity;
  }

  execute(api: ApiName): ServiceIdentity & { readonly name: string } {
    const { version, repository } = this.#identity;
    return { version, name: `weatherd ${api} API`, repository };
  }
}
