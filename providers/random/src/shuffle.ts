import type { ProviderPorts } from '@terrane/provider';
import { int64, list, nullable, resource, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { shuffled } from './drawing.ts';
import { KEEPERS } from './keepers.ts';
import { crc64 } from '@terrane/host';
import { SeededRandom } from './seeded-random.ts';

/** `random_shuffle`: the elements of a list in random order. A larger `result_count` repeats the list. */
export function shuffleResource({ random }: Pick<ProviderPorts, 'random'>): Resource {
  return resource({
    description:
      'The resource `random_shuffle` generates a random permutation of a list of strings given as an argument.',
    attributes: {
      keepers: KEEPERS,
      id: string({
        computed: true,
        description:
          'A static value used internally by Terraform, this should not be referenced in configurations.',
        useStateForUnknown: true,
      }),
      input: list(nullable(string), {
        required: true,
        description: 'The list of strings to shuffle.',
        requiresReplace: true,
      }),
      result: list(nullable(string), {
        computed: true,
        description:
          'Random permutation of the list of strings given in `input`. The number of elements is determined by `result_count` if set, or the number of elements in `input`.',
        useStateForUnknown: true,
      }),
      result_count: int64({
        optional: true,
        description:
          'The number of results to return. Defaults to the number of items in the `input` list. If fewer items are requested, some elements will be excluded from the result. If more items are requested, items will be repeated in the result but not more frequently than the number of items in the input list.',
        requiresReplace: true,
      }),
      seed: string({
        optional: true,
        description:
          'Arbitrary string with which to seed the random number generator, in order to produce less-volatile permutations of the list.\n\n**Important:** Even with an identical seed, it is not guaranteed that the same permutation will be produced across different versions of Terraform. This argument causes the result to be *less volatile*, but not fixed for all time.',
        requiresReplace: true,
      }),
    },
    create: ({ plan }) => {
      const input = plan.input;
      const count = plan.result_count ?? input.length;
      const seed = plan.seed ?? '';
      const seeded = seed === '' ? undefined : new SeededRandom(crc64(seed));
      const result: (string | null)[] = [];
      // A count below one still returns one element, as in the published provider.
      while (input.length > 0 && count !== 0 && result.length < Math.max(1, count)) {
        const batch = seeded
          ? seeded.permutation(input.length).map((i) => input[i] ?? null)
          : shuffled(random, input);
        result.push(...batch.slice(0, Math.max(1, count) - result.length));
      }
      return { ...plan, id: '-', result };
    },
  });
}
