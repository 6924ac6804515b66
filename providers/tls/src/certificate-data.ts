import { quoteText } from '@terrane/cty';
import type { ProviderPorts } from '@terrane/provider';
import {
  bool,
  conflictsWith,
  exactlyOneOf,
  list,
  number,
  object,
  ProviderError,
  string,
  withClient,
} from '@terrane/provider/sdk';
import type { DataSource } from '@terrane/provider/sdk';
import { nameText } from './distinguished-name.ts';
import { attempt } from './given.ts';
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

const CERTIFICATE = object({
  signature_algorithm: string,
  public_key_algorithm: string,
  serial_number: string,
  is_ca: bool,
  max_path_length: number,
  version: number,
  issuer: string,
  subject: string,
  not_before: string,
  not_after: string,
  sha1_fingerprint: string,
  cert_pem: string,
});

/** The data source `tls_certificate`: reads certificates from a text or a server. */
export function certificateData({
  environment,
}: Pick<ProviderPorts, 'environment'>): DataSource<ProxySettings> {
  return withClient<ProxySettings>().dataSource({
    description:
      'Get information about the TLS certificates securing a host.\n\nUse this data source to get information, such as SHA1 fingerprint or serial number, about the TLS certificates that protects a URL.',
    descriptionKind: 'markdown',
    attributes: {
      certificates: list(CERTIFICATE, {
        computed: true,
        description: 'The certificates protecting the site, with the root of the chain first.',
        descriptionKind: 'markdown',
      }),
      content: string({
        optional: true,
        description:
          'The content of the certificate in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
        descriptionKind: 'markdown',
        validators: [exactlyOneOf('content', 'url')],
      }),
      id: string({
        computed: true,
        description:
          'Unique identifier of this data source: hashing of the certificates in the chain.',
        descriptionKind: 'markdown',
      }),
      url: string({
        optional: true,
        description:
          'URL of the endpoint to get the certificates from. Accepted schemes are: `https`, `tls`. For scheme `https://` it will use the HTTP protocol and apply the `proxy` configuration of the provider, if set. For scheme `tls://` it will instead use a secure TCP socket.',
        descriptionKind: 'markdown',
        validators: [urlWithScheme('https', 'tls'), exactlyOneOf('content', 'url')],
      }),
      verify_chain: bool({
        optional: true,
        description:
          'Whether to verify the certificate chain while parsing it or not (default: `true`).',
        descriptionKind: 'markdown',
        validators: [conflictsWith('content')],
      }),
    },
    read: async ({ config, client: proxy }) => {
      const verify = config.verify_chain ?? true;
      const { content } = config;
      if (content !== null) {
        return { ...config, verify_chain: verify, ...certificateAttributes([fromText(content)]) };
      }
      // The TLS client is loaded only for reads from a server.
      const { fetchChain } = await import('./fetch-chain.ts');
      const chain = await fetchChain(config.url ?? '', verify, proxy, environment);
      const certificates = chain.map(parseCertificate).toReversed();
      return { ...config, verify_chain: verify, ...certificateAttributes(certificates) };
    },
  });
}

function fromText(text: string): ParsedCertificate {
  const block = decodePem(text);
  if (block === undefined) {
    const detail = 'Value is not a valid PEM encoding of a certificate';
    throw new ProviderError('Failed to decoded PEM', detail, 'content');
  }
  if (!PREAMBLES.includes(block.type)) {
    const detail = `unsupported PEM preamble/type: ${block.type}`;
    throw new ProviderError('Failed to identify PEM preamble', detail);
  }
  if (block.type !== 'CERTIFICATE') {
    const detail = `Certificate PEM should be "CERTIFICATE", got ${quoteText(block.type)}`;
    throw new ProviderError('Unexpected PEM preamble', detail);
  }
  return attempt('Unable to parse certificate', () => parseCertificate(block.bytes));
}

/** Returns the parts of the identifier in order. */
function partsOf(c: ParsedCertificate) {
  const rfc3339 = (date: Date) => date.toISOString().replace('.000Z', 'Z');
  return {
    signature_algorithm: c.signatureAlgorithm,
    public_key_algorithm: c.publicKeyAlgorithm,
    serial_number: c.serial.toString(),
    is_ca: c.isAuthority,
    max_path_length: c.maxPathLength,
    version: c.version,
    issuer: nameText(c.issuer),
    subject: nameText(c.subject),
    not_before: rfc3339(c.notBefore),
    not_after: rfc3339(c.notAfter),
    sha1_fingerprint: fingerprint(c),
    cert_pem: encodePem('CERTIFICATE', c.raw),
  };
}

function certificateAttributes(certificates: readonly ParsedCertificate[]) {
  const parts = certificates.map(partsOf);
  const texts = parts.map((part) => `{${Object.values(part).map(partText).join(' ')}}`);
  return { certificates: parts, id: stateHash(Buffer.from(`[${texts.join(' ')}]`)) };
}

function partText(part: string | number | boolean): string {
  return typeof part === 'string' ? quoteText(part) : String(part);
}
