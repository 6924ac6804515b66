import { listType, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { requiresReplace, sizeBetween } from '@terrane/provider';
import type { BlockDefinition } from '@terrane/provider';
import type { DistinguishedName } from './distinguished-name.ts';

/** The block that says whom a certificate is for. */
export const SUBJECT: BlockDefinition = {
  nesting: 'list',
  description:
    'The subject for which a certificate is being requested. The acceptable arguments are all optional and their naming is based upon [Issuer Distinguished Names (RFC5280)](https://tools.ietf.org/html/rfc5280#section-4.1.2.4) section.',
  descriptionKind: 'markdown',
  validators: [sizeBetween(0, 1)],
  modifiers: [requiresReplace],
  attributes: {
    common_name: {
      type: STRING,
      optional: true,
      description: 'Distinguished name: `CN`',
      modifiers: [requiresReplace],
    },
    country: {
      type: STRING,
      optional: true,
      description: 'Distinguished name: `C`',
      modifiers: [requiresReplace],
    },
    email_address: {
      type: STRING,
      optional: true,
      description: 'ASN.1 Object Identifier (OID): `1.2.840.113549.1.9.1`',
      modifiers: [requiresReplace],
    },
    locality: {
      type: STRING,
      optional: true,
      description: 'Distinguished name: `L`',
      modifiers: [requiresReplace],
    },
    organization: {
      type: STRING,
      optional: true,
      description: 'Distinguished name: `O`',
      modifiers: [requiresReplace],
    },
    organizational_unit: {
      type: STRING,
      optional: true,
      description: 'Distinguished name: `OU`',
      modifiers: [requiresReplace],
    },
    postal_code: {
      type: STRING,
      optional: true,
      description: 'Distinguished name: `PC`',
      modifiers: [requiresReplace],
    },
    province: {
      type: STRING,
      optional: true,
      description: 'Distinguished name: `ST`',
      modifiers: [requiresReplace],
    },
    serial_number: {
      type: STRING,
      optional: true,
      description: 'Distinguished name: `SERIALNUMBER`',
      modifiers: [requiresReplace],
    },
    street_address: {
      type: listType(STRING),
      optional: true,
      description: 'Distinguished name: `STREET`',
      modifiers: [requiresReplace],
    },
  },
};

/** The name that the blocks describe, undefined when there are none. */
export function subjectName(blocks: Value): DistinguishedName | undefined {
  const block = blocks.isNull ? undefined : blocks.at(0);
  if (block === undefined) return undefined;
  const text = (name: string) => {
    const v = block.attr(name);
    return v.isNull ? undefined : v.asString();
  };
  const texts = (name: string) => [text(name)].filter((value) => value !== undefined);
  const streets = block.attr('street_address');
  const name: { -readonly [K in keyof DistinguishedName]: DistinguishedName[K] } = {
    country: texts('country'),
    organization: texts('organization'),
    organizationalUnit: texts('organizational_unit'),
    locality: texts('locality'),
    province: texts('province'),
    streetAddress: streets.isNull ? [] : streets.elements().map((v) => v.asString()),
    postalCode: texts('postal_code'),
  };
  const [commonName, serialNumber] = [text('common_name'), text('serial_number')];
  const emailAddress = text('email_address');
  if (commonName !== undefined) name.commonName = commonName;
  if (serialNumber !== undefined) name.serialNumber = serialNumber;
  if (emailAddress !== undefined) name.emailAddress = emailAddress;
  return name;
}
