import { parseInt64 } from '@terrane/provider';
import type { ProviderPorts } from '@terrane/provider';
import { bigInt64, ProviderError, resource, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { drawBigBelow } from './drawing.ts';
import { KEEPERS } from './keepers.ts';
import { crc64 } from '@terrane/host';
import { SeededRandom } from './seeded-random.ts';

/** `random_integer`: a random integer in a range. */
export function integerResource({ random }: Pick<ProviderPorts, 'random'>): Resource {
  return resource({
    description:
      'The resource `random_integer` generates random values from a given range, described by the `min` and `max` attributes of a given resource.\n\nThis resource can be used in conjunction with resources that have the `create_before_destroy` lifecycle flag set, to avoid conflicts with unique names during the brief period where both the old and new resources exist concurrently.',
    attributes: {
      keepers: KEEPERS,
      id: string({
        computed: true,
        description: 'The string representation of the integer result.',
        useStateForUnknown: true,
      }),
      max: bigInt64({
        required: true,
        description: 'The maximum inclusive value of the range.',
        requiresReplace: true,
      }),
      min: bigInt64({
        required: true,
        description: 'The minimum inclusive value of the range.',
        requiresReplace: true,
      }),
      result: bigInt64({
        computed: true,
        description: 'The random integer result.',
        useStateForUnknown: true,
      }),
      seed: string({
        optional: true,
        description: 'A custom seed to always produce the same value.',
        requiresReplace: true,
      }),
    },
    create: ({ plan }) => {
      const { min, max } = plan;
      if (max < min) {
        const detail =
          'The minimum (minVal) value needs to be smaller than or equal to maximum (maxVal) value.';
        throw new ProviderError('Create Random Integer Error', detail);
      }
      const seed = plan.seed ?? '';
      const size = max - min + 1n;
      const offset =
        seed === '' || size >= 2n ** 63n
          ? drawBigBelow(random, size)
          : new SeededRandom(crc64(seed)).below(size);
      const drawn = min + offset;
      return { ...plan, id: drawn.toString(), result: drawn };
    },
    import: ({ id = '' }) => importInteger(id),
  });
}

function importInteger(text: string) {
  const summary = 'Import Random Integer Error';
  const [id = '', ...rest] = text.split(',');
  if (rest.length !== 2 && rest.length !== 3) {
    const detail =
      'Invalid import usage: expecting {result},{min},{max} or {result},{min},{max},{seed}';
    throw new ProviderError(summary, detail);
  }
  const parsed = (part: string, argument: string): bigint => {
    const n = parseInt64(part);
    if (typeof n !== 'string') return n;
    const detail = `The ${argument} supplied could not be parsed as an integer.\n\nOriginal Error: ${n}`;
    throw new ProviderError(summary, detail);
  };
  const [min = '', max = '', seed = null] = rest;
  return {
    id,
    result: parsed(id, 'value'),
    min: parsed(min, 'min value'),
    max: parsed(max, 'max value'),
    seed,
  };
}
