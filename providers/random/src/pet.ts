import { nullOf, number, NUMBER, str, STRING } from '@terrane/cty';
import type { Random } from '@terrane/host';
import { requiresReplace, useStateForUnknown } from '@terrane/provider';
import type { ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { drawBelow } from './drawing.ts';
import { KEEPERS } from './keepers.ts';
import { ADJECTIVES, ADVERBS, ANIMALS } from './pet-words.ts';

/** `random_pet`: a name to tell things apart by. */
export function petResource({ random }: Pick<ProviderPorts, 'random'>): ResourceDefinition {
  return {
    description:
      'The resource `random_pet` generates random pet names that are intended to be used as unique identifiers for other resources.\n\nThis resource can be used in conjunction with resources that have the `create_before_destroy` lifecycle flag set, to avoid conflicts with unique names during the brief period where both the old and new resources exist concurrently.',
    attributes: {
      keepers: KEEPERS,
      id: {
        type: STRING,
        computed: true,
        description: 'The random pet name.',
        modifiers: [useStateForUnknown],
      },
      length: {
        type: NUMBER,
        integer: true,
        optional: true,
        computed: true,
        description: 'The length (in words) of the pet name. Defaults to 2',
        default: number(2),
        modifiers: [requiresReplace],
      },
      prefix: {
        type: STRING,
        optional: true,
        description: 'A string to prefix the name with.',
        modifiers: [requiresReplace],
      },
      separator: {
        type: STRING,
        optional: true,
        computed: true,
        description: 'The character to separate words in the pet name. Defaults to "-"',
        default: str('-'),
        modifiers: [requiresReplace],
      },
    },
    create: ({ plan }) => {
      const separator = plan.string('separator') ?? '';
      const prefix = plan.string('prefix') ?? '';
      const name = petName(random, plan.integer('length') ?? 0).join(separator);
      return {
        state: plan.with({
          id: prefix === '' ? name : `${prefix}${separator}${name}`,
          prefix: prefix === '' ? nullOf(STRING) : prefix,
        }),
      };
    },
  };
}

/** An animal, before it an adjective, and before that as many adverbs as are needed. */
function petName(random: Random, length: number): readonly string[] {
  const pick = (from: readonly string[]) => from[drawBelow(random, from.length)] ?? '';
  if (length <= 1) return [pick(ANIMALS)];
  const adverbs = Array.from({ length: length - 2 }, () => pick(ADVERBS));
  return [...adverbs, pick(ADJECTIVES), pick(ANIMALS)];
}
