import type { Random } from '@terrane/host';
import type { ProviderPorts } from '@terrane/provider';
import { int64, resource, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { drawBelow } from './drawing.ts';
import { KEEPERS } from './keepers.ts';
import { ADJECTIVES, ADVERBS, ANIMALS } from './pet-words.ts';

/** `random_pet`: a human-readable random name. */
export function petResource({ random }: Pick<ProviderPorts, 'random'>): Resource {
  return resource({
    description:
      'The resource `random_pet` generates random pet names that are intended to be used as unique identifiers for other resources.\n\nThis resource can be used in conjunction with resources that have the `create_before_destroy` lifecycle flag set, to avoid conflicts with unique names during the brief period where both the old and new resources exist concurrently.',
    attributes: {
      keepers: KEEPERS,
      id: string({
        computed: true,
        description: 'The random pet name.',
        useStateForUnknown: true,
      }),
      length: int64({
        optional: true,
        computed: true,
        description: 'The length (in words) of the pet name. Defaults to 2',
        default: 2,
        requiresReplace: true,
      }),
      prefix: string({
        optional: true,
        description: 'A string to prefix the name with.',
        requiresReplace: true,
      }),
      separator: string({
        optional: true,
        computed: true,
        description: 'The character to separate words in the pet name. Defaults to "-"',
        default: '-',
        requiresReplace: true,
      }),
    },
    create: ({ plan }) => {
      const { separator } = plan;
      const prefix = plan.prefix ?? '';
      const name = petName(random, plan.length).join(separator);
      return {
        ...plan,
        id: prefix === '' ? name : `${prefix}${separator}${name}`,
        prefix: prefix === '' ? null : prefix,
      };
    },
  });
}

/** Returns the words of a name: adverbs up to the length, an adjective and an animal. */
function petName(random: Random, length: number): readonly string[] {
  const pick = (words: readonly string[]) => words[drawBelow(random, words.length)] ?? '';
  if (length <= 1) return [pick(ANIMALS)];
  const adverbs = Array.from({ length: length - 2 }, () => pick(ADVERBS));
  return [...adverbs, pick(ADJECTIVES), pick(ANIMALS)];
}
