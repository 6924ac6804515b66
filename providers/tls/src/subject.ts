import { list, listBlock, nullable, sizeBetween, string } from '@terrane/provider/sdk';
import type { AttributeOf, ManyBlockOf, SequenceOf } from '@terrane/provider/sdk';
import type { DistinguishedName } from './distinguished-name.ts';
import { present } from './given.ts';

type TextName =
  | 'common_name'
  | 'country'
  | 'email_address'
  | 'locality'
  | 'organization'
  | 'organizational_unit'
  | 'postal_code'
  | 'province'
  | 'serial_number';

type SubjectAttributes = Readonly<Record<TextName, AttributeOf<typeof string, 'optional'>>> & {
  readonly street_address: AttributeOf<SequenceOf<string | null>, 'optional'>;
};

/** The block with the subject of a certificate. */
export const SUBJECT: ManyBlockOf<SubjectAttributes> = listBlock(
  {
    common_name: string({
      optional: true,
      description: 'Distinguished name: `CN`',
      requiresReplace: true,
    }),
    country: string({
      optional: true,
      description: 'Distinguished name: `C`',
      requiresReplace: true,
    }),
    email_address: string({
      optional: true,
      description: 'ASN.1 Object Identifier (OID): `1.2.840.113549.1.9.1`',
      requiresReplace: true,
    }),
    locality: string({
      optional: true,
      description: 'Distinguished name: `L`',
      requiresReplace: true,
    }),
    organization: string({
      optional: true,
      description: 'Distinguished name: `O`',
      requiresReplace: true,
    }),
    organizational_unit: string({
      optional: true,
      description: 'Distinguished name: `OU`',
      requiresReplace: true,
    }),
    postal_code: string({
      optional: true,
      description: 'Distinguished name: `PC`',
      requiresReplace: true,
    }),
    province: string({
      optional: true,
      description: 'Distinguished name: `ST`',
      requiresReplace: true,
    }),
    serial_number: string({
      optional: true,
      description: 'Distinguished name: `SERIALNUMBER`',
      requiresReplace: true,
    }),
    street_address: list(nullable(string), {
      optional: true,
      description: 'Distinguished name: `STREET`',
      requiresReplace: true,
    }),
  },
  {
    description:
      'The subject for which a certificate is being requested. The acceptable arguments are all optional and their naming is based upon [Issuer Distinguished Names (RFC5280)](https://tools.ietf.org/html/rfc5280#section-4.1.2.4) section.',
    descriptionKind: 'markdown',
    validators: [sizeBetween(0, 1)],
    requiresReplace: true,
  },
);

type Subject = Readonly<Record<TextName, string | null>> & {
  readonly street_address: readonly (string | null)[] | null;
};

/** Returns the name that the blocks describe; empty without blocks. */
export function subjectName([block]: readonly Subject[]): DistinguishedName {
  if (block === undefined) return {};
  const { common_name, serial_number, email_address } = block;
  return {
    country: present([block.country]),
    organization: present([block.organization]),
    organizationalUnit: present([block.organizational_unit]),
    locality: present([block.locality]),
    province: present([block.province]),
    streetAddress: present(block.street_address),
    postalCode: present([block.postal_code]),
    ...(common_name !== null && { commonName: common_name }),
    ...(serial_number !== null && { serialNumber: serial_number }),
    ...(email_address !== null && { emailAddress: email_address }),
  };
}
