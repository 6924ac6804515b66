import { userErrorText } from '@terrane/host';
import { createPublicKey } from 'node:crypto';
import type { ProviderPorts } from '@terrane/provider';
import { ProviderError, resource, string, warning } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { CERTIFICATE } from './certificate-attributes.ts';
import { expectPem, parseRequestPem } from './certificate-request.ts';
import { sequence } from './der.ts';
import { encodeName, knownParts } from './distinguished-name.ts';
import { attempt, givenKey, replaceIfPemChanges } from './given.ts';
import { isDue, issue, planRenewal } from './issue.ts';
import { algorithmOf } from './keys.ts';
import { parseCertificate } from './parsed-certificate.ts';
import type { ParsedCertificate } from './parsed-certificate.ts';

const ATTRIBUTES = {
  ...CERTIFICATE,
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
  cert_request_pem: string({
    required: true,
    description:
      'Certificate request data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
    planModifiers: [replaceIfPemChanges],
  }),
};

/** `tls_locally_signed_cert`: a certificate signed by a configured certificate authority. */
export function locallySignedCertResource(
  ports: Pick<ProviderPorts, 'random' | 'clock'>,
): Resource {
  return resource({
    description:
      'Creates a TLS certificate in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format using a Certificate Signing Request (CSR) and signs it with a provided (local) Certificate Authority (CA).',
    descriptionKind: 'markdown',
    attributes: ATTRIBUTES,
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
    const reason = userErrorText(cause);
    throw new Error(`failed to parse certificate: ${reason}`);
  }
}
