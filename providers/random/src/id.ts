import { decodeBase64 } from '@terrane/provider';
import type { ProviderPorts } from '@terrane/provider';
import { int64, ProviderError, resource, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { RETRY } from './failures.ts';
import { KEEPERS } from './keepers.ts';

const ATTRIBUTES = {
  keepers: KEEPERS,
  b64_std: string({
    computed: true,
    description: 'The generated id presented in base64 without additional transformations.',
    useStateForUnknown: true,
  }),
  b64_url: string({
    computed: true,
    description:
      'The generated id presented in base64, using the URL-friendly character set: case-sensitive letters, digits and the characters `_` and `-`.',
    useStateForUnknown: true,
  }),
  byte_length: int64({
    required: true,
    description:
      'The number of random bytes to produce. The minimum value is 1, which produces eight bits of randomness.',
    requiresReplace: true,
  }),
  dec: string({
    computed: true,
    description: 'The generated id presented in non-padded decimal digits.',
    useStateForUnknown: true,
  }),
  hex: string({
    computed: true,
    description:
      'The generated id presented in padded hexadecimal digits. This result will always be twice as long as the requested byte length.',
    useStateForUnknown: true,
  }),
  id: string({
    computed: true,
    description:
      'The generated id presented in base64 without additional transformations or prefix.',
    useStateForUnknown: true,
  }),
  prefix: string({
    optional: true,
    description:
      'Arbitrary string to prefix the output value with. This string is supplied as-is, meaning it is not guaranteed to be URL-safe or base64 encoded.',
    requiresReplace: true,
  }),
};

/** `random_id`: random bytes in several notations. */
export function idResource({ random }: Pick<ProviderPorts, 'random'>): Resource {
  return resource({
    description:
      '\nThe resource `random_id` generates random numbers that are intended to be\nused as unique identifiers for other resources. If the output is considered \nsensitive, and should not be displayed in the CLI, use `random_bytes`\ninstead.\n\nThis resource *does* use a cryptographic random number generator in order\nto minimize the chance of collisions, making the results of this resource\nwhen a 16-byte identifier is requested of equivalent uniqueness to a\ntype-4 UUID.\n\nThis resource can be used in conjunction with resources that have\nthe `create_before_destroy` lifecycle flag set to avoid conflicts with\nunique names during the brief period where both the old and new resources\nexist concurrently.\n',
    attributes: ATTRIBUTES,
    create: ({ plan }) => {
      const bytes = Buffer.from(random.bytes(Math.max(0, plan.byte_length)));
      return { ...plan, ...notations(bytes, plan.prefix ?? '') };
    },
    import: ({ id = '' }) => {
      const comma = id.lastIndexOf(',');
      const prefix = comma === -1 ? '' : id.slice(0, comma);
      const bytes = decodeBase64(id.slice(comma + 1), 'raw-url');
      if (typeof bytes === 'string') {
        const detail = `While attempting to import a random id there was a decoding error.\n\n+${RETRY}Original Error: ${bytes}`;
        throw new ProviderError('Import Random ID Error', detail);
      }
      return {
        ...notations(bytes, prefix),
        byte_length: bytes.length,
        prefix: prefix === '' ? null : prefix,
      };
    },
  });
}

function notations(bytes: Buffer, prefix: string) {
  const id = bytes.toString('base64url');
  const hex = bytes.toString('hex');
  return {
    id,
    b64_url: prefix + id,
    b64_std: prefix + bytes.toString('base64'),
    hex: prefix + hex,
    dec: prefix + BigInt(`0x0${hex}`).toString(),
  };
}
