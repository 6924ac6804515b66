import { createPublicKey } from 'node:crypto';
import { BOOL, FALSE, listType, number, NUMBER, STRING } from '@terrane/cty';
import {
  atLeast,
  elementsAre,
  error,
  oneOf,
  requiresReplace,
  requiresReplaceIf,
  useStateForUnknown,
  warning,
} from '@terrane/provider';
import type { Outcome, ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { expectPem, parseRequestPem } from './certificate-request.ts';
import { sequence } from './der.ts';
import { encodeName, knownParts } from './distinguished-name.ts';
import { attempt, givenKey, storesPem } from './given.ts';
import { issue, isProblem, planRenewal, readRenewal, readyFromTheStart } from './issue.ts';
import { algorithmOf } from './keys.ts';
import { parseCertificate } from './parsed-certificate.ts';
import type { ParsedCertificate } from './parsed-certificate.ts';
import { USAGES } from './usages.ts';

/** `tls_locally_signed_cert`: a certificate signed by a given authority. */
export function locallySignedCertResource(
  ports: Pick<ProviderPorts, 'random' | 'clock'>,
): ResourceDefinition {
  return {
    description:
      'Creates a TLS certificate in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format using a Certificate Signing Request (CSR) and signs it with a provided (local) Certificate Authority (CA).',
    descriptionKind: 'markdown',
    attributes: {
      allowed_uses: {
        type: listType(STRING),
        required: true,
        description:
          'List of key usages allowed for the issued certificate. Values are defined in [RFC 5280](https://datatracker.ietf.org/doc/html/rfc5280) and combine flags defined by both [Key Usages](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.3) and [Extended Key Usages](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.12). Accepted values: `any_extended`, `cert_signing`, `client_auth`, `code_signing`, `content_commitment`, `crl_signing`, `data_encipherment`, `decipher_only`, `digital_signature`, `email_protection`, `encipher_only`, `ipsec_end_system`, `ipsec_tunnel`, `ipsec_user`, `key_agreement`, `key_encipherment`, `microsoft_commercial_code_signing`, `microsoft_kernel_code_signing`, `microsoft_server_gated_crypto`, `netscape_server_gated_crypto`, `ocsp_signing`, `server_auth`, `timestamping`.',
        validators: [elementsAre(oneOf(...USAGES))],
        modifiers: [requiresReplace],
      },
      ca_cert_pem: {
        type: STRING,
        required: true,
        description:
          'Certificate data of the Certificate Authority (CA) in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
        modifiers: [requiresReplaceIf(storesPem)],
      },
      ca_key_algorithm: {
        type: STRING,
        computed: true,
        description:
          'Name of the algorithm used when generating the private key provided in `ca_private_key_pem`. ',
        modifiers: [useStateForUnknown],
      },
      ca_private_key_pem: {
        type: STRING,
        required: true,
        sensitive: true,
        description:
          'Private key of the Certificate Authority (CA) used to sign the certificate, in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
        modifiers: [requiresReplaceIf(storesPem)],
      },
      cert_pem: {
        type: STRING,
        computed: true,
        description:
          'Certificate data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format. **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
        modifiers: [useStateForUnknown],
      },
      cert_request_pem: {
        type: STRING,
        required: true,
        description:
          'Certificate request data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
        modifiers: [requiresReplaceIf(storesPem)],
      },
      early_renewal_hours: {
        type: NUMBER,
        integer: true,
        optional: true,
        computed: true,
        description:
          'The resource will consider the certificate to have expired the given number of hours before its actual expiry time. This can be useful to deploy an updated certificate in advance of the expiration of the current certificate. However, the old certificate remains valid until its true expiration time, since this resource does not (and cannot) support certificate revocation. Also, this advance update can only be performed should the Terraform configuration be applied during the early renewal period. (default: `0`)',
        default: number(0),
        validators: [atLeast(0)],
      },
      id: {
        type: STRING,
        computed: true,
        description: 'Unique identifier for this resource: the certificate serial number.',
        modifiers: [useStateForUnknown],
      },
      is_ca_certificate: {
        type: BOOL,
        optional: true,
        computed: true,
        description:
          'Is the generated certificate representing a Certificate Authority (CA) (default: `false`).',
        default: FALSE,
        modifiers: [requiresReplace],
      },
      max_path_length: {
        type: NUMBER,
        integer: true,
        optional: true,
        computed: true,
        description:
          'Maximum number of intermediate certificates that may follow this certificate in a valid certification path. If `is_ca_certificate` is `false`, this value is ignored.',
        validators: [atLeast(-1)],
        modifiers: [useStateForUnknown, requiresReplace],
      },
      ready_for_renewal: {
        type: BOOL,
        computed: true,
        description:
          'Is the certificate either expired (i.e. beyond the `validity_period_hours`) or ready for an early renewal (i.e. within the `early_renewal_hours`)?',
        default: FALSE,
        modifiers: [readyFromTheStart],
      },
      set_subject_key_id: {
        type: BOOL,
        optional: true,
        computed: true,
        description:
          'Should the generated certificate include a [subject key identifier](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.2) (default: `false`).',
        default: FALSE,
        modifiers: [requiresReplace],
      },
      validity_end_time: {
        type: STRING,
        computed: true,
        description:
          'The time until which the certificate is invalid, expressed as an [RFC3339](https://tools.ietf.org/html/rfc3339) timestamp.',
        modifiers: [useStateForUnknown],
      },
      validity_period_hours: {
        type: NUMBER,
        integer: true,
        required: true,
        description:
          'Number of hours, after initial issuing, that the certificate will remain valid for.',
        validators: [atLeast(0)],
        modifiers: [requiresReplace],
      },
      validity_start_time: {
        type: STRING,
        computed: true,
        description:
          'The time after which the certificate is valid, expressed as an [RFC3339](https://tools.ietf.org/html/rfc3339) timestamp.',
        modifiers: [useStateForUnknown],
      },
    },
    modifyPlan: ({ plan }) => planRenewal(plan, ports.clock.now()),
    create: ({ plan }): Outcome => {
      const request = attempt('Failed to parse certificate request PEM', () =>
        parseRequestPem(plan.string('cert_request_pem') ?? ''),
      );
      if ('problem' in request) return { diagnostics: [request.problem] };
      const signer = givenKey(plan, 'ca_private_key_pem', 'Failed to parse CA private key PEM');
      if ('problem' in signer) return { diagnostics: [signer.problem] };
      const authority = attempt('Failed to parse CA certificate PEM', () =>
        parseAuthority(plan.string('ca_cert_pem') ?? ''),
      );
      if ('problem' in authority) return { diagnostics: [authority.problem] };
      const doubts = authority.isAuthority ? [] : [NO_AUTHORITY];
      if (!authority.publicKey.equals(createPublicKey(signer))) {
        const detail = "x509: provided PrivateKey doesn't match parent's PublicKey";
        return { diagnostics: [...doubts, error('Failed to create certificate', detail)] };
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
      if (isProblem(issued)) return { diagnostics: [...doubts, issued.problem] };
      const state = plan.with({ ...issued, ca_key_algorithm: algorithmOf(signer) });
      return { state, diagnostics: doubts };
    },
    read: (state) => readRenewal(state, ports.clock.now()),
  };
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
