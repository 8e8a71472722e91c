/**
 * A sentence about a failed connection. Messages of errors contain addresses, so an unknown error is only named by its code.
 *
 * @param code of an error of a socket, of TLS or of the parser of HTTP: `ECONNREFUSED`, `CERT_HAS_EXPIRED`, `HPE_HEADER_OVERFLOW`
 * @param who the subject of the sentence: `The target`
 */
export function connectionFailure(code: string, who: string): string {
  const whom = who.charAt(0).toLowerCase() + who.slice(1);
  const known = SENTENCES[code] ?? FAMILIES.find(([prefix]) => prefix.test(code))?.[1];
  return known === undefined
    ? `${who} could not be reached (${code}).`
    : known.replaceAll('{Who}', who).replaceAll('{who}', whom);
}

const CLOSED = '{Who} closed the connection before it answered.';
const NOT_ACCEPTED = '{Who} did not accept the connection in time.';
const UNREACHABLE =
  '{Who} cannot be reached from this machine: check its address, whether it is switched on, and the network.';
const NO_ADDRESS = 'The name of {who} has no address.';
const UNRESOLVED = 'The name of {who} could not be resolved.';
const NO_HANDLES = 'This machine has too many open files and connections for another one.';
const FORBIDDEN = 'This machine does not permit the connection to {who}: check its firewall.';
const UNKNOWN_AUTHORITY = 'The certificate of {who} is not signed by a known authority.';
const NOT_HTTP = 'The reply of {who} is not valid HTTP: check the address and the port.';

/** Errors of libuv, of getaddrinfo, of OpenSSL (https://nodejs.org/api/tls.html#x509-certificate-error-codes) and of llhttp. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: '{Who} refused the connection.',
  ECONNRESET: CLOSED,
  ECONNABORTED: CLOSED,
  EPIPE: CLOSED,
  HPE_CLOSED_CONNECTION: CLOSED,
  HPE_INVALID_EOF_STATE: CLOSED,
  ETIMEDOUT: NOT_ACCEPTED,
  ERR_SOCKET_CONNECTION_TIMEOUT: NOT_ACCEPTED,
  EHOSTUNREACH: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  EINVAL: UNREACHABLE,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EMFILE: NO_HANDLES,
  ENFILE: NO_HANDLES,
  ENOTFOUND: NO_ADDRESS,
  ENODATA: NO_ADDRESS,
  EAI_NODATA: NO_ADDRESS,
  EAI_NONAME: NO_ADDRESS,
  CERT_HAS_EXPIRED: 'The certificate of {who} has expired.',
  CERT_NOT_YET_VALID: 'The certificate of {who} is not valid yet: check the clock of this machine.',
  CERT_REVOKED: 'The certificate of {who} was revoked.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of {who} is for another name.',
  HOSTNAME_MISMATCH: 'The certificate of {who} is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  HPE_HEADER_OVERFLOW: 'The headers in the reply of {who} are too large.',
  HPE_INVALID_CHUNK_SIZE: 'A chunk in the reply of {who} is not valid HTTP.',
};

const FAMILIES: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^EAI_|^ESERVFAIL$|^EREFUSED$|^ETIMEOUT$/, UNRESOLVED],
  [/^HPE_/, NOT_HTTP],
  [
    /^ERR_(?:SSL|TLS)_|^EPROTO$/,
    '{Who} does not answer with a known version of TLS: check the port, or whether the URL begins with http:.',
  ],
  [
    /CERT|CRL|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^UNABLE_TO_/,
    'The certificate of {who} is not valid.',
  ],
];
