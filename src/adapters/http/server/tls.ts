/** A certificate chain and its private key, as PEM texts. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export const MIN_TLS_VERSION = 'TLSv1.2';
