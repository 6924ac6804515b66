import {
  BOOL,
  bool,
  list,
  listType,
  number,
  NUMBER,
  object,
  objectType,
  quoteText,
  str,
  STRING,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { conflictsWith, error, exactlyOneOf } from '@terrane/provider';
import type { DataSourceDefinition, Fields, Outcome, ProviderPorts } from '@terrane/provider';
import { nameText } from './distinguished-name.ts';
import { attempt } from './given.ts';
import type { Problem } from './given.ts';
import { stateHash } from './keys.ts';
import { fingerprint, parseCertificate } from './parsed-certificate.ts';
import type { ParsedCertificate } from './parsed-certificate.ts';
import { decodePem, encodePem } from './pem.ts';
import type { ProxySettings } from './proxy.ts';
import { urlWithScheme } from './url.ts';

const PREAMBLES = [
  'PUBLIC KEY',
  'PRIVATE KEY',
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'CERTIFICATE',
  'CERTIFICATE REQUEST',
];

/** The data source `tls_certificate`: what certificates say, of a text or of a server. */
export function certificateData(
  { environment }: Pick<ProviderPorts, 'environment'>,
  proxy: () => ProxySettings,
): DataSourceDefinition {
  return {
    description:
      'Get information about the TLS certificates securing a host.\n\nUse this data source to get information, such as SHA1 fingerprint or serial number, about the TLS certificates that protects a URL.',
    descriptionKind: 'markdown',
    attributes: {
      certificates: {
        type: listType(
          objectType({
            cert_pem: STRING,
            is_ca: BOOL,
            issuer: STRING,
            max_path_length: NUMBER,
            not_after: STRING,
            not_before: STRING,
            public_key_algorithm: STRING,
            serial_number: STRING,
            sha1_fingerprint: STRING,
            signature_algorithm: STRING,
            subject: STRING,
            version: NUMBER,
          }),
        ),
        computed: true,
        description: 'The certificates protecting the site, with the root of the chain first.',
        descriptionKind: 'markdown',
      },
      content: {
        type: STRING,
        optional: true,
        description:
          'The content of the certificate in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
        descriptionKind: 'markdown',
        validators: [exactlyOneOf('content', 'url')],
      },
      id: {
        type: STRING,
        computed: true,
        description:
          'Unique identifier of this data source: hashing of the certificates in the chain.',
        descriptionKind: 'markdown',
      },
      url: {
        type: STRING,
        optional: true,
        description:
          'URL of the endpoint to get the certificates from. Accepted schemes are: `https`, `tls`. For scheme `https://` it will use the HTTP protocol and apply the `proxy` configuration of the provider, if set. For scheme `tls://` it will instead use a secure TCP socket.',
        descriptionKind: 'markdown',
        validators: [urlWithScheme('https', 'tls'), exactlyOneOf('content', 'url')],
      },
      verify_chain: {
        type: BOOL,
        optional: true,
        description:
          'Whether to verify the certificate chain while parsing it or not (default: `true`).',
        descriptionKind: 'markdown',
        validators: [conflictsWith('content')],
      },
    },
    read: async (config): Promise<Outcome> => {
      const content = config.string('content');
      if (content !== undefined) {
        const certificate = fromText(content);
        return 'problem' in certificate
          ? { diagnostics: [certificate.problem] }
          : described(config, [certificate]);
      }
      // Only who asks a server pays for the code that does it.
      const { fetchChain } = await import('./fetch-chain.ts');
      const chain = await fetchChain(
        config.string('url') ?? '',
        config.bool('verify_chain') ?? true,
        proxy(),
        environment,
      );
      return 'problem' in chain
        ? { diagnostics: [chain.problem] }
        : described(config, chain.map(parseCertificate).toReversed());
    },
  };
}

function fromText(text: string): ParsedCertificate | Problem {
  const block = decodePem(text);
  if (block === undefined) {
    const detail = 'Value is not a valid PEM encoding of a certificate';
    return { problem: error('Failed to decoded PEM', detail, 'content') };
  }
  if (!PREAMBLES.includes(block.type)) {
    const detail = `unsupported PEM preamble/type: ${block.type}`;
    return { problem: error('Failed to identify PEM preamble', detail) };
  }
  if (block.type !== 'CERTIFICATE') {
    const detail = `Certificate PEM should be "CERTIFICATE", got ${quoteText(block.type)}`;
    return { problem: error('Unexpected PEM preamble', detail) };
  }
  return attempt('Unable to parse certificate', () => parseCertificate(block.bytes));
}

/** In the order in which the identifier is made of them. */
function partsOf(c: ParsedCertificate): Readonly<Record<string, Value>> {
  const rfc3339 = (date: Date) => str(date.toISOString().replace('.000Z', 'Z'));
  return {
    signature_algorithm: str(c.signatureAlgorithm),
    public_key_algorithm: str(c.publicKeyAlgorithm),
    serial_number: str(c.serial.toString()),
    is_ca: bool(c.isAuthority),
    max_path_length: number(c.maxPathLength),
    version: number(c.version),
    issuer: str(nameText(c.issuer)),
    subject: str(nameText(c.subject)),
    not_before: rfc3339(c.notBefore),
    not_after: rfc3339(c.notAfter),
    sha1_fingerprint: str(fingerprint(c)),
    cert_pem: str(encodePem('CERTIFICATE', c.raw)),
  };
}

const CERTIFICATE = objectType({
  signature_algorithm: STRING,
  public_key_algorithm: STRING,
  serial_number: STRING,
  is_ca: BOOL,
  max_path_length: NUMBER,
  version: NUMBER,
  issuer: STRING,
  subject: STRING,
  not_before: STRING,
  not_after: STRING,
  sha1_fingerprint: STRING,
  cert_pem: STRING,
});

function described(config: Fields, certificates: readonly ParsedCertificate[]): Outcome {
  const parts = certificates.map(partsOf);
  const texts = parts.map((part) => `{${Object.values(part).map(shown).join(' ')}}`);
  return {
    state: config.with({
      certificates: list(
        CERTIFICATE,
        parts.map((part) => object(part)),
      ),
      verify_chain: bool(config.bool('verify_chain') ?? true),
      id: stateHash(Buffer.from(`[${texts.join(' ')}]`)),
    }),
  };
}

function shown(v: Value): string {
  if (v.type.kind === 'string') return quoteText(v.asString());
  return v.type.kind === 'bool' ? String(v.asBool()) : String(v.asInt());
}
