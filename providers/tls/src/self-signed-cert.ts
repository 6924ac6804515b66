import type { ProviderPorts } from '@terrane/provider';
import { bool, resource, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { CERTIFICATE, REQUESTED } from './certificate-attributes.ts';
import { encodeName } from './distinguished-name.ts';
import { givenKey, givenNames, replaceIfPemChanges } from './given.ts';
import { isDue, issue, planRenewal } from './issue.ts';
import { algorithmOf, publicInfo } from './keys.ts';
import { SUBJECT, subjectName } from './subject.ts';

/** `tls_self_signed_cert`: a self-signed certificate. */
export function selfSignedCertResource(ports: Pick<ProviderPorts, 'random' | 'clock'>): Resource {
  return resource({
    description:
      'Creates a **self-signed** TLS certificate in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format.',
    descriptionKind: 'markdown',
    attributes: {
      ...CERTIFICATE,
      ...REQUESTED,
      private_key_pem: string({
        required: true,
        sensitive: true,
        description:
          'Private key in [PEM (RFC 1421)](https://datatracker.ietf.org/doc/html/rfc1421) format, that the certificate will belong to. This can be read from a separate file using the [`file`](https://www.terraform.io/language/functions/file) interpolation function. ',
        planModifiers: [replaceIfPemChanges],
      }),
      set_authority_key_id: bool({
        optional: true,
        computed: true,
        description:
          'Should the generated certificate include an [authority key identifier](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.1): for self-signed certificates this is the same value as the [subject key identifier](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.2) (default: `false`).',
        default: false,
        requiresReplace: true,
      }),
    },
    blocks: { subject: SUBJECT },
    modifyPlan: ({ plan, requireReplace }) => planRenewal(plan, ports.clock.now(), requireReplace),
    create: ({ plan }) => {
      const key = givenKey(plan.private_key_pem, 'Failed to parse private key PEM');
      const names = givenNames(plan);
      const subject = encodeName(subjectName(plan.subject));
      const issued = issue(ports, plan, {
        issuer: subject,
        subject,
        publicKey: publicInfo(key),
        names,
        signer: key,
        selfSigned: true,
      });
      return { ...plan, ...issued, key_algorithm: algorithmOf(key) };
    },
    read: ({ state }) =>
      isDue(state, ports.clock.now()) ? { ...state, ready_for_renewal: true } : state,
  });
}
