import { list, listType, NUMBER, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { requiresReplace, useStateForUnknown } from '@terrane/provider';
import type { Outcome, ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { shuffled } from './drawing.ts';
import { KEEPERS } from './keepers.ts';
import { SeededRandom, seedOf } from './seeded-random.ts';

/** `random_shuffle`: the elements of a list in random order, some or again and again. */
export function shuffleResource({ random }: Pick<ProviderPorts, 'random'>): ResourceDefinition {
  return {
    description:
      'The resource `random_shuffle` generates a random permutation of a list of strings given as an argument.',
    attributes: {
      keepers: KEEPERS,
      id: {
        type: STRING,
        computed: true,
        description:
          'A static value used internally by Terraform, this should not be referenced in configurations.',
        modifiers: [useStateForUnknown],
      },
      input: {
        type: listType(STRING),
        required: true,
        description: 'The list of strings to shuffle.',
        modifiers: [requiresReplace],
      },
      result: {
        type: listType(STRING),
        computed: true,
        description:
          'Random permutation of the list of strings given in `input`. The number of elements is determined by `result_count` if set, or the number of elements in `input`.',
        modifiers: [useStateForUnknown],
      },
      result_count: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          'The number of results to return. Defaults to the number of items in the `input` list. If fewer items are requested, some elements will be excluded from the result. If more items are requested, items will be repeated in the result but not more frequently than the number of items in the input list.',
        modifiers: [requiresReplace],
      },
      seed: {
        type: STRING,
        optional: true,
        description:
          'Arbitrary string with which to seed the random number generator, in order to produce less-volatile permutations of the list.\n\n**Important:** Even with an identical seed, it is not guaranteed that the same permutation will be produced across different versions of Terraform. This argument causes the result to be *less volatile*, but not fixed for all time.',
        modifiers: [requiresReplace],
      },
    },
    create: ({ plan }): Outcome => {
      const input = plan.value('input').elements();
      const count = plan.integer('result_count') ?? input.length;
      const seed = plan.string('seed') ?? '';
      const seeded = seed === '' ? undefined : new SeededRandom(seedOf(seed));
      const result: Value[] = [];
      // A count below one still gives one element, as it does in the published provider.
      while (input.length > 0 && count !== 0 && result.length < Math.max(1, count)) {
        const batch = seeded
          ? seeded.permutation(input.length).flatMap((i) => input[i] ?? [])
          : shuffled(random, input);
        result.push(...batch.slice(0, Math.max(1, count) - result.length));
      }
      return { state: plan.with({ id: '-', result: list(STRING, result) }) };
    },
  };
}
