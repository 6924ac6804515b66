import {
  atLeast,
  bool,
  elementsAre,
  int64,
  lengthAtLeast,
  list,
  nullable,
  oneOf,
  string,
} from '@terrane/provider/sdk';
import type { AttributeOf, SequenceOf } from '@terrane/provider/sdk';
import { readyFromTheStart } from './issue.ts';
import { USAGES } from './usages.ts';

interface CertificateAttributes {
  readonly allowed_uses: AttributeOf<SequenceOf<string | null>, 'required'>;
  readonly cert_pem: AttributeOf<typeof string, 'computed'>;
  readonly early_renewal_hours: AttributeOf<typeof int64, 'default'>;
  readonly id: AttributeOf<typeof string, 'computed'>;
  readonly is_ca_certificate: AttributeOf<typeof bool, 'default'>;
  readonly max_path_length: AttributeOf<typeof int64, 'optional, computed or null'>;
  readonly ready_for_renewal: AttributeOf<typeof bool, 'default'>;
  readonly set_subject_key_id: AttributeOf<typeof bool, 'default'>;
  readonly validity_end_time: AttributeOf<typeof string, 'computed'>;
  readonly validity_period_hours: AttributeOf<typeof int64, 'required'>;
  readonly validity_start_time: AttributeOf<typeof string, 'computed'>;
}

/** The attributes of every certificate, independent of the signer. */
export const CERTIFICATE: CertificateAttributes = {
  allowed_uses: list(nullable(string), {
    required: true,
    description:
      'List of key usages allowed for the issued certificate. Values are defined in [RFC 5280](https://datatracker.ietf.org/doc/html/rfc5280) and combine flags defined by both [Key Usages](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.3) and [Extended Key Usages](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.12). Accepted values: `any_extended`, `cert_signing`, `client_auth`, `code_signing`, `content_commitment`, `crl_signing`, `data_encipherment`, `decipher_only`, `digital_signature`, `email_protection`, `encipher_only`, `ipsec_end_system`, `ipsec_tunnel`, `ipsec_user`, `key_agreement`, `key_encipherment`, `microsoft_commercial_code_signing`, `microsoft_kernel_code_signing`, `microsoft_server_gated_crypto`, `netscape_server_gated_crypto`, `ocsp_signing`, `server_auth`, `timestamping`.',
    validators: [elementsAre(oneOf(...USAGES))],
    requiresReplace: true,
  }),
  cert_pem: string({
    computed: true,
    description:
      'Certificate data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format. **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
    useStateForUnknown: true,
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
};

interface RequestedAttributes {
  readonly dns_names: AttributeOf<SequenceOf<string | null>, 'optional'>;
  readonly ip_addresses: AttributeOf<SequenceOf<string | null>, 'optional'>;
  readonly uris: AttributeOf<SequenceOf<string | null>, 'optional'>;
  readonly key_algorithm: AttributeOf<typeof string, 'computed'>;
}

/** The attributes of a request or self-signed certificate: the alternative names, and the kind of key. */
export const REQUESTED: RequestedAttributes = {
  dns_names: list(nullable(string), {
    optional: true,
    description:
      'List of DNS names for which a certificate is being requested (i.e. certificate subjects).',
    requiresReplace: true,
  }),
  ip_addresses: list(nullable(string), {
    optional: true,
    description:
      'List of IP addresses for which a certificate is being requested (i.e. certificate subjects).',
    validators: [elementsAre(lengthAtLeast(1))],
    requiresReplace: true,
  }),
  uris: list(nullable(string), {
    optional: true,
    description:
      'List of URIs for which a certificate is being requested (i.e. certificate subjects).',
    validators: [elementsAre(lengthAtLeast(1))],
    requiresReplace: true,
  }),
  key_algorithm: string({
    computed: true,
    description:
      'Name of the algorithm used when generating the private key provided in `private_key_pem`. ',
    useStateForUnknown: true,
  }),
};
