import { createPublicKey } from 'node:crypto';
import type { ProviderPorts } from '@terrane/provider';
import {
  atLeast,
  bool,
  elementsAre,
  int64,
  list,
  nullable,
  oneOf,
  ProviderError,
  resource,
  string,
  warning,
} from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { expectPem, parseRequestPem } from './certificate-request.ts';
import { sequence } from './der.ts';
import { encodeName, knownParts } from './distinguished-name.ts';
import { attempt, givenKey, replaceIfPemChanges } from './given.ts';
import { isDue, issue, planRenewal, readyFromTheStart } from './issue.ts';
import { algorithmOf } from './keys.ts';
import { parseCertificate } from './parsed-certificate.ts';
import type { ParsedCertificate } from './parsed-certificate.ts';
import { USAGES } from './usages.ts';

/** `tls_locally_signed_cert`: a certificate signed by a given authority. */
export function locallySignedCertResource(
  ports: Pick<ProviderPorts, 'random' | 'clock'>,
): Resource {
  return resource({
    description:
      'Creates a TLS certificate in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format using a Certificate Signing Request (CSR) and signs it with a provided (local) Certificate Authority (CA).',
    descriptionKind: 'markdown',
    attributes: {
      allowed_uses: list(nullable(string), {
        required: true,
        description:
          'List of key usages allowed for the issued certificate. Values are defined in [RFC 5280](https://datatracker.ietf.org/doc/html/rfc5280) and combine flags defined by both [Key Usages](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.3) and [Extended Key Usages](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.12). Accepted values: `any_extended`, `cert_signing`, `client_auth`, `code_signing`, `content_commitment`, `crl_signing`, `data_encipherment`, `decipher_only`, `digital_signature`, `email_protection`, `encipher_only`, `ipsec_end_system`, `ipsec_tunnel`, `ipsec_user`, `key_agreement`, `key_encipherment`, `microsoft_commercial_code_signing`, `microsoft_kernel_code_signing`, `microsoft_server_gated_crypto`, `netscape_server_gated_crypto`, `ocsp_signing`, `server_auth`, `timestamping`.',
        validators: [elementsAre(oneOf(...USAGES))],
        requiresReplace: true,
      }),
      ca_cert_pem: string({
        required: true,
        description:
          'Certificate data of the Certificate Authority (CA) in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
        planModifiers: [replaceIfPemChanges],
      }),
      ca_key_algorithm: string({
        computed: true,
        description:
          'Name of the algorithm used when generating the private key provided in `ca_private_key_pem`. ',
        useStateForUnknown: true,
      }),
      ca_private_key_pem: string({
        required: true,
        sensitive: true,
        description:
          'Private key of the Certificate Authority (CA) used to sign the certificate, in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
        planModifiers: [replaceIfPemChanges],
      }),
      cert_pem: string({
        computed: true,
        description:
          'Certificate data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format. **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
        useStateForUnknown: true,
      }),
      cert_request_pem: string({
        required: true,
        description:
          'Certificate request data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
        planModifiers: [replaceIfPemChanges],
      }),
      early_renewal_hours: int64({
        optional: true,
        computed: true,
        description:
          'The resource will consider the certificate to have expired the given number of hours before its actual expiry time. This can be useful to deploy an updated certificate in advance of the expiration of the current certificate. However, the old certificate remains valid until its true expiration time, since this resource does not (and cannot) support certificate revocation. Also, this advance update can only be performed should the Terraform configuration be applied during the early renewal period. (default: `0`)',
        default: 0,
        validators: [atLeast(0)],
      }),
      id: string({
        computed: true,
        description: 'Unique identifier for this resource: the certificate serial number.',
        useStateForUnknown: true,
      }),
      is_ca_certificate: bool({
        optional: true,
        computed: true,
        description:
          'Is the generated certificate representing a Certificate Authority (CA) (default: `false`).',
        default: false,
        requiresReplace: true,
      }),
      max_path_length: int64({
        optional: true,
        computed: true,
        nullable: true,
        description:
          'Maximum number of intermediate certificates that may follow this certificate in a valid certification path. If `is_ca_certificate` is `false`, this value is ignored.',
        validators: [atLeast(-1)],
        useStateForUnknown: true,
        requiresReplace: true,
      }),
      ready_for_renewal: bool({
        computed: true,
        description:
          'Is the certificate either expired (i.e. beyond the `validity_period_hours`) or ready for an early renewal (i.e. within the `early_renewal_hours`)?',
        default: false,
        planModifiers: [readyFromTheStart],
      }),
      set_subject_key_id: bool({
        optional: true,
        computed: true,
        description:
          'Should the generated certificate include a [subject key identifier](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.2) (default: `false`).',
        default: false,
        requiresReplace: true,
      }),
      validity_end_time: string({
        computed: true,
        description:
          'The time until which the certificate is invalid, expressed as an [RFC3339](https://tools.ietf.org/html/rfc3339) timestamp.',
        useStateForUnknown: true,
      }),
      validity_period_hours: int64({
        required: true,
        description:
          'Number of hours, after initial issuing, that the certificate will remain valid for.',
        validators: [atLeast(0)],
        requiresReplace: true,
      }),
      validity_start_time: string({
        computed: true,
        description:
          'The time after which the certificate is valid, expressed as an [RFC3339](https://tools.ietf.org/html/rfc3339) timestamp.',
        useStateForUnknown: true,
      }),
    },
    modifyPlan: ({ plan, requireReplace }) => planRenewal(plan, ports.clock.now(), requireReplace),
    create: ({ plan, report }) => {
      const request = attempt('Failed to parse certificate request PEM', () =>
        parseRequestPem(plan.cert_request_pem),
      );
      const signer = givenKey(plan.ca_private_key_pem, 'Failed to parse CA private key PEM');
      const authority = attempt('Failed to parse CA certificate PEM', () =>
        parseAuthority(plan.ca_cert_pem),
      );
      if (!authority.isAuthority) report([NO_AUTHORITY]);
      if (!authority.publicKey.equals(createPublicKey(signer))) {
        const detail = "x509: provided PrivateKey doesn't match parent's PublicKey";
        throw new ProviderError('Failed to create certificate', detail);
      }
      const issued = issue(ports, plan, {
        issuer: sequence(authority.subject),
        subject: encodeName(knownParts(request.subject)),
        publicKey: request.publicKey,
        names: request.names,
        signer,
        issuerKeyId: authority.subjectKeyId,
        selfSigned: false,
      });
      return { ...plan, ...issued, ca_key_algorithm: algorithmOf(signer) };
    },
    read: ({ state }) =>
      isDue(state, ports.clock.now()) ? { ...state, ready_for_renewal: true } : state,
  });
}

const NO_AUTHORITY = warning(
  'Potentially Invalid Certificate Authority',
  'Certificate provided as Authority does not appear to be a valid Certificate Authority. The resulting certificate might fail certificate validation.',
);

function parseAuthority(text: string): ParsedCertificate {
  const bytes = expectPem(text, 'CERTIFICATE');
  try {
    return parseCertificate(bytes);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`failed to parse certificate: ${why}`);
  }
}
