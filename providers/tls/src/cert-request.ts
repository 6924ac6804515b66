import { resource, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { REQUESTED } from './certificate-attributes.ts';
import { createRequest } from './certificate-request.ts';
import { encodeName } from './distinguished-name.ts';
import { algorithmOf, stateHash } from './keys.ts';
import { encodePem } from './pem.ts';
import { attempt, givenKey, givenNames, replaceIfPemChanges } from './given.ts';
import { SUBJECT, subjectName } from './subject.ts';

/** `tls_cert_request`: a certificate request. */
export const certRequestResource: Resource = resource({
  description:
    'Creates a Certificate Signing Request (CSR) in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.\n\nPEM is the typical format used to request a certificate from a Certificate Authority (CA).\n\nThis resource is intended to be used in conjunction with a Terraform provider for a particular certificate authority in order to provision a new certificate.',
  descriptionKind: 'markdown',
  attributes: {
    ...REQUESTED,
    cert_request_pem: string({
      computed: true,
      description:
        'The certificate request data in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format. **NOTE**: the [underlying](https://pkg.go.dev/encoding/pem#Encode) [libraries](https://pkg.go.dev/golang.org/x/crypto/ssh#MarshalAuthorizedKey) that generate this value append a `\\n` at the end of the PEM. In case this disrupts your use case, we recommend using [`trimspace()`](https://www.terraform.io/language/functions/trimspace).',
      useStateForUnknown: true,
    }),
    id: string({
      computed: true,
      description:
        'Unique identifier for this resource: hexadecimal representation of the SHA1 checksum of the resource.',
      useStateForUnknown: true,
    }),
    private_key_pem: string({
      required: true,
      sensitive: true,
      description:
        'Private key in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format, that the certificate will belong to. This can be read from a separate file using the [`file`](https://www.terraform.io/language/functions/file) interpolation function.',
      planModifiers: [replaceIfPemChanges],
    }),
  },
  blocks: { subject: SUBJECT },
  create: ({ plan }) => {
    const key = givenKey(plan.private_key_pem, 'Failed to parse private key PEM');
    const names = givenNames(plan);
    const subject = encodeName(subjectName(plan.subject));
    const request = attempt('Error creating certificate request', () =>
      createRequest(subject, names, key),
    );
    return {
      ...plan,
      key_algorithm: algorithmOf(key),
      cert_request_pem: encodePem('CERTIFICATE REQUEST', request),
      id: stateHash(request),
    };
  },
});
