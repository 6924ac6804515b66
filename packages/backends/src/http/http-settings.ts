import { createPrivateKey, X509Certificate } from 'node:crypto';
import { BOOL, mapType, NUMBER, STRING, type Value } from '@terrane/cty';
import { type Environment, type HttpTls, userErrorText } from '@terrane/host';
import type { BlockSchema } from '@terrane/provider';
import { BackendArguments } from '../backend-arguments.ts';

/** The arguments of the `http` backend, as Terraform's. */
export const HTTP_SCHEMA: BlockSchema = {
  attributes: {
    address: {
      type: STRING,
      optional: true,
      description: 'The address of the REST endpoint',
    },
    update_method: {
      type: STRING,
      optional: true,
      description: 'HTTP method to use when updating state',
    },
    lock_address: {
      type: STRING,
      optional: true,
      description: 'The address of the lock REST endpoint',
    },
    unlock_address: {
      type: STRING,
      optional: true,
      description: 'The address of the unlock REST endpoint',
    },
    lock_method: {
      type: STRING,
      optional: true,
      description: 'The HTTP method to use when locking',
    },
    unlock_method: {
      type: STRING,
      optional: true,
      description: 'The HTTP method to use when unlocking',
    },
    username: {
      type: STRING,
      optional: true,
      description: 'The username for HTTP basic authentication',
    },
    password: {
      type: STRING,
      optional: true,
      description: 'The password for HTTP basic authentication',
    },
    skip_cert_verification: {
      type: BOOL,
      optional: true,
      description: 'Whether to skip TLS verification',
    },
    retry_max: {
      type: NUMBER,
      optional: true,
      description: 'The number of HTTP request retries',
    },
    retry_wait_min: {
      type: NUMBER,
      optional: true,
      description: 'The minimum time in seconds to wait between HTTP request attempts',
    },
    retry_wait_max: {
      type: NUMBER,
      optional: true,
      description: 'The maximum time in seconds to wait between HTTP request attempts',
    },
    client_ca_certificate_pem: {
      type: STRING,
      optional: true,
      description:
        'A PEM-encoded CA certificate chain used by the client to verify server certificates during TLS authentication',
    },
    client_certificate_pem: {
      type: STRING,
      optional: true,
      description:
        'A PEM-encoded certificate used by the server to verify the client during mutual TLS (mTLS) authentication',
    },
    client_private_key_pem: {
      type: STRING,
      optional: true,
      description: 'A PEM-encoded private key, required if client_certificate_pem is specified',
    },
    // As in OpenTofu 1.10.
    headers: {
      type: mapType(STRING),
      optional: true,
      description: 'Headers that each request to the server has besides those of the protocol',
    },
  },
  blocks: {},
};

/** The URL, method and TLS settings of requests. */
export interface Endpoint {
  readonly method: string;
  readonly url: URL;
}

/** Settings of the `http` backend from the configuration and the environment. */
export interface HttpSettings {
  readonly address: URL;
  readonly updateMethod: string;
  readonly lock: Endpoint | undefined;
  readonly unlock: Endpoint | undefined;
  readonly username: string;
  readonly password: string;
  readonly retries: number;
  readonly shortestWaitMs: number;
  readonly longestWaitMs: number;
  readonly tls: HttpTls | undefined;
  /** the user's headers; those of the protocol have precedence */
  readonly headers: Readonly<Record<string, string>>;
}

/** Decodes a configuration. Throws an error with Terraform's message if it is invalid. */
export function httpSettings(config: Value, environment: Environment): HttpSettings {
  const settings = plainSettings(new BackendArguments(config, environment));
  if (settings.tls?.ca !== undefined || settings.tls?.certificate !== undefined)
    checkCertificates(settings.tls);
  return settings;
}

/** Variant of `httpSettings` that does not parse certificates. */
export function plainSettings(args: BackendArguments): HttpSettings {
  const address = args.text('address', 'TF_HTTP_ADDRESS') ?? '';
  if (address === '') throw new Error('address argument is required');
  const waits = (name: string, variable: string, otherwise: number): number => {
    try {
      return args.wholeNumber(name, variable, otherwise);
    } catch (error) {
      throw new Error(`invalid ${name}: ${userErrorText(error)}`, { cause: error });
    }
  };
  const username = args.text('username', 'TF_HTTP_USERNAME') ?? '';
  return {
    address: urlOf('address', address),
    headers: headersOf(args, username),
    updateMethod: args.text('update_method', 'TF_HTTP_UPDATE_METHOD') ?? 'POST',
    lock: endpoint(args, 'lock', 'LOCK'),
    unlock: endpoint(args, 'unlock', 'UNLOCK'),
    retries: waits('retry_max', 'TF_HTTP_RETRY_MAX', 2),
    shortestWaitMs: 1000 * waits('retry_wait_min', 'TF_HTTP_RETRY_WAIT_MIN', 1),
    longestWaitMs: 1000 * waits('retry_wait_max', 'TF_HTTP_RETRY_WAIT_MAX', 30),
    tls: tlsOf(args),
    username,
    password: args.text('password', 'TF_HTTP_PASSWORD') ?? '',
  };
}

function endpoint(
  args: BackendArguments,
  operation: 'lock' | 'unlock',
  method: string,
): Endpoint | undefined {
  const prefix = `TF_HTTP_${operation.toUpperCase()}`;
  const address = args.text(`${operation}_address`, `${prefix}_ADDRESS`);
  if (address === undefined) return undefined;
  return {
    url: urlOf(`${operation}_address`, address),
    method: args.text(`${operation}_method`, `${prefix}_METHOD`) ?? method,
  };
}

/** Decodes the configured headers. Throws an error with OpenTofu's message if they are invalid. */
function headersOf(args: BackendArguments, username: string): Readonly<Record<string, string>> {
  const value = args.value('headers');
  if (value === undefined) return {};
  const headers = value.entries().map(([name, text]) => {
    return [name.asString(), text.isNull ? '' : text.asString()] as const;
  });
  for (const [name, text] of headers) {
    if (!/^[\w-]+$/.test(name)) {
      throw new Error(
        `headers "${name}" name must not be empty and only contain A-Za-z0-9-_ characters`,
      );
    }
    // Line ends would start another header.
    if (text.trim() === '' || !/^[\t\x20-\x7e]*$/.test(text)) {
      throw new Error(
        `headers "${name}" value must not be empty and only contain ascii characters`,
      );
    }
    const lower = name.toLowerCase();
    if (lower === 'authorization' && username !== '')
      throw new Error(`headers "${name}" cannot be set when providing username`);
    if (lower === 'content-type' || lower === 'content-md5')
      throw new Error(`headers "${name}" is reserved`);
  }
  return Object.fromEntries(headers);
}

function urlOf(name: string, address: string): URL {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme !== 'http' && scheme !== 'https') throw new Error(`${name} must be HTTP or HTTPS`);
  try {
    return new URL(address);
  } catch (error) {
    // The address may have a password in it.
    throw new Error(`failed to parse ${name} URL: it is not the address of a server`, {
      cause: error,
    });
  }
}

function tlsOf(args: BackendArguments): HttpTls | undefined {
  const skips = args.truth('skip_cert_verification', undefined, false);
  const ca = args.text('client_ca_certificate_pem', 'TF_HTTP_CLIENT_CA_CERTIFICATE_PEM') ?? '';
  const certificate = args.text('client_certificate_pem', 'TF_HTTP_CLIENT_CERTIFICATE_PEM') ?? '';
  const key = args.text('client_private_key_pem', 'TF_HTTP_CLIENT_PRIVATE_KEY_PEM') ?? '';
  if (certificate !== '' && key === '')
    throw new Error('client_certificate_pem is set but client_private_key_pem is not');
  if (key !== '' && certificate === '')
    throw new Error('client_private_key_pem is set but client_certificate_pem is not');
  if (!skips && ca === '' && certificate === '') return undefined;
  return {
    ...(skips && { verify: false }),
    ...(ca !== '' && { ca }),
    ...(certificate !== '' && { certificate, key }),
  };
}

function checkCertificates({ ca, certificate, key }: HttpTls): void {
  if (ca !== undefined) {
    try {
      new X509Certificate(ca);
    } catch (error) {
      throw new Error('failed to append certs', { cause: error });
    }
  }
  if (certificate === undefined || key === undefined) return;
  try {
    const x509 = new X509Certificate(certificate);
    if (!x509.checkPrivateKey(createPrivateKey(key)))
      throw new Error('private key does not match public key');
  } catch (error) {
    throw new Error(`cannot load client certificate: ${userErrorText(error)}`, { cause: error });
  }
}
