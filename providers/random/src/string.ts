import type { ProviderPorts } from '@terrane/provider';
import { resource, string, upgradeFrom } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { randomText } from './random-text.ts';
import { importedText, OLDER_TEXT, upgradedText } from './text-state.ts';
import { TEXT_ATTRIBUTES, textRules } from './text-attributes.ts';

/** `random_string`: a random, non-sensitive text. */
export function stringResource({ random }: Pick<ProviderPorts, 'random'>): Resource {
  return resource({
    version: 2,
    description:
      "The resource `random_string` generates a random permutation of alphanumeric characters and optionally special characters.\n\nThis resource *does* use a cryptographic random number generator.\n\nHistorically this resource's intended usage has been ambiguous as the original example used it in a password. For backwards compatibility it will continue to exist. For unique ids please use [random_id](id.html), for sensitive random values please use [random_password](password.html).",
    attributes: {
      ...TEXT_ATTRIBUTES,
      id: string({
        computed: true,
        description: 'The generated random string.',
        useStateForUnknown: true,
      }),
      result: string({
        computed: true,
        description: 'The generated random string.',
        useStateForUnknown: true,
      }),
    },
    create: ({ plan }) => {
      const rules = textRules(plan);
      const text = randomText(random, rules);
      return { ...plan, number: rules.numeric, numeric: rules.numeric, id: text, result: text };
    },
    import: ({ id = '' }) => ({ ...importedText(id), id }),
    upgraders: { 1: upgradeFrom({ attributes: OLDER_TEXT }, upgradedText) },
  });
}
