import { nullOf, number, NUMBER, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { decodeBase64, error, requiresReplace, useStateForUnknown } from '@terrane/provider';
import type { Outcome, ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { RETRY } from './failures.ts';
import { KEEPERS } from './keepers.ts';

/** `random_id`: random bytes in several notations. */
export function idResource({ random }: Pick<ProviderPorts, 'random'>): ResourceDefinition {
  return {
    description:
      '\nThe resource `random_id` generates random numbers that are intended to be\nused as unique identifiers for other resources. If the output is considered \nsensitive, and should not be displayed in the CLI, use `random_bytes`\ninstead.\n\nThis resource *does* use a cryptographic random number generator in order\nto minimize the chance of collisions, making the results of this resource\nwhen a 16-byte identifier is requested of equivalent uniqueness to a\ntype-4 UUID.\n\nThis resource can be used in conjunction with resources that have\nthe `create_before_destroy` lifecycle flag set to avoid conflicts with\nunique names during the brief period where both the old and new resources\nexist concurrently.\n',
    attributes: {
      keepers: KEEPERS,
      b64_std: {
        type: STRING,
        computed: true,
        description: 'The generated id presented in base64 without additional transformations.',
        modifiers: [useStateForUnknown],
      },
      b64_url: {
        type: STRING,
        computed: true,
        description:
          'The generated id presented in base64, using the URL-friendly character set: case-sensitive letters, digits and the characters `_` and `-`.',
        modifiers: [useStateForUnknown],
      },
      byte_length: {
        type: NUMBER,
        integer: true,
        required: true,
        description:
          'The number of random bytes to produce. The minimum value is 1, which produces eight bits of randomness.',
        modifiers: [requiresReplace],
      },
      dec: {
        type: STRING,
        computed: true,
        description: 'The generated id presented in non-padded decimal digits.',
        modifiers: [useStateForUnknown],
      },
      hex: {
        type: STRING,
        computed: true,
        description:
          'The generated id presented in padded hexadecimal digits. This result will always be twice as long as the requested byte length.',
        modifiers: [useStateForUnknown],
      },
      id: {
        type: STRING,
        computed: true,
        description:
          'The generated id presented in base64 without additional transformations or prefix.',
        modifiers: [useStateForUnknown],
      },
      prefix: {
        type: STRING,
        optional: true,
        description:
          'Arbitrary string to prefix the output value with. This string is supplied as-is, meaning it is not guaranteed to be URL-safe or base64 encoded.',
        modifiers: [requiresReplace],
      },
    },
    create: ({ plan }) => {
      const bytes = Buffer.from(random.bytes(Math.max(0, plan.integer('byte_length') ?? 0)));
      return { state: plan.with(notations(bytes, plan.string('prefix') ?? '')) };
    },
    import: (id, empty): Outcome => {
      const comma = id.lastIndexOf(',');
      const prefix = comma === -1 ? '' : id.slice(0, comma);
      const bytes = decodeBase64(id.slice(comma + 1), 'raw-url');
      if (typeof bytes === 'string') {
        const detail = `While attempting to import a random id there was a decoding error.\n\n+${RETRY}Original Error: ${bytes}`;
        return { diagnostics: [error('Import Random ID Error', detail)] };
      }
      return {
        state: empty.with({
          ...notations(bytes, prefix),
          byte_length: number(bytes.length),
          prefix: prefix === '' ? nullOf(STRING) : prefix,
        }),
      };
    },
  };
}

function notations(bytes: Buffer, prefix: string): Record<string, Value | string> {
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
