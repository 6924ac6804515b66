/** TLS certificate error messages by code, worded as in Go. */
const CERTIFICATE_CODES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'certificate has expired or is not yet valid',
};

interface SystemError extends Error {
  readonly code?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
}

/** Returns the code of an error (`ECONNREFUSED`, …); undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as SystemError).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Returns true if an error is about a certificate, so that a retry would fail too. */
export function isCertificateError(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return code in CERTIFICATE_CODES || code === 'ERR_TLS_CERT_ALTNAME_INVALID';
}

/** Formats the error of an HTTP request as Go does: `dial tcp 127.0.0.1:1: connect: connection refused`. */
export function requestFailure(url: string, error: unknown): string {
  // An attempt on several addresses: the first error is as informative as the others.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return requestFailure(url, error.errors[0]);
  }
  if (!(error instanceof Error)) return String(error);
  const { address, port, hostname, message } = error as SystemError;
  const code = errorCode(error) ?? '';
  const reason = CERTIFICATE_CODES[code];
  if (reason !== undefined) return `tls: failed to verify certificate: x509: ${reason}`;
  const { host } = new URL(url);
  const at = typeof address === 'string' ? hostPort(address, port) : host;
  const name = typeof hostname === 'string' ? hostname : host;
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${at}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${at}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp ${at}: connect: network is unreachable`;
    case 'ECONNRESET':
      return message === 'socket hang up' ? 'EOF' : 'read: connection reset by peer';
    case 'ENOTFOUND':
      return `dial tcp: lookup ${name}: no such host`;
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${name}: server misbehaving`;
    case 'ETIMEDOUT':
      if (typeof address === 'string') return `dial tcp ${at}: i/o timeout`;
      if (/while reading body|too slow/.test(message)) return message;
      return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    default:
      return message;
  }
}

function hostPort(address: string, port: unknown): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return typeof port === 'number' ? `${host}:${port}` : host;
}
