import { STRING } from '@terrane/cty';
import { useStateForUnknown } from '@terrane/provider';
import type { Outcome, ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { readFailure } from './failures.ts';
import { randomText } from './random-text.ts';
import { olderTextType, importedText, upgradedText } from './text-state.ts';
import { TEXT_ATTRIBUTES, textRules } from './text-attributes.ts';

/** `random_string`: a random text that is no secret. */
export function stringResource({ random }: Pick<ProviderPorts, 'random'>): ResourceDefinition {
  return {
    version: 2,
    description:
      "The resource `random_string` generates a random permutation of alphanumeric characters and optionally special characters.\n\nThis resource *does* use a cryptographic random number generator.\n\nHistorically this resource's intended usage has been ambiguous as the original example used it in a password. For backwards compatibility it will continue to exist. For unique ids please use [random_id](id.html), for sensitive random values please use [random_password](password.html).",
    attributes: {
      ...TEXT_ATTRIBUTES,
      id: {
        type: STRING,
        computed: true,
        description: 'The generated random string.',
        modifiers: [useStateForUnknown],
      },
      result: {
        type: STRING,
        computed: true,
        description: 'The generated random string.',
        modifiers: [useStateForUnknown],
      },
    },
    create: ({ plan }): Outcome => {
      const made = randomText(random, textRules(plan));
      if ('problem' in made) return { diagnostics: [readFailure(made.problem)] };
      return { state: plan.with({ id: made.text, result: made.text }) };
    },
    import: (id, empty) => ({ state: empty.with({ ...importedText(id), id }) }),
    upgrades: {
      1: {
        type: olderTextType([]),
        upgrade: (older) => ({ state: upgradedText(older, {}) }),
      },
    },
  };
}
