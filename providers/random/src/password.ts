import { str, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { error, useStateForUnknown } from '@terrane/provider';
import type {
  EphemeralDefinition,
  Outcome,
  ProviderPorts,
  ResourceDefinition,
} from '@terrane/provider';
import { bcryptHash, bcryptMatches } from './bcrypt.ts';
import { readFailure } from './failures.ts';
import { randomText } from './random-text.ts';
import {
  EPHEMERAL_TEXT_ATTRIBUTES,
  ruleValues,
  TEXT_ATTRIBUTES,
  textRules,
} from './text-attributes.ts';
import { importedText, olderTextType, upgradedText } from './text-state.ts';

/** `random_password`: a random text that is a secret. */
export function passwordResource({ random }: Pick<ProviderPorts, 'random'>): ResourceDefinition {
  return {
    version: 3,
    description:
      '-> If the managed resource supports a write-only attribute for the password (first introduced in Terraform 1.11), then the ephemeral variant of [`random_password`](https://registry.terraform.io/providers/hashicorp/random/latest/docs/ephemeral-resources/password) should be used, when possible, to avoid storing the password in the plan or state file.\n\nIdentical to [`random_string`](https://registry.terraform.io/providers/hashicorp/random/latest/docs/resources/string) with the exception that the result is treated as sensitive and, thus, _not_ displayed in console output. Read more about sensitive data handling in the [Terraform documentation](https://developer.hashicorp.com/terraform/language/state/sensitive-data).\n\nThis resource *does* use a cryptographic random number generator.',
    attributes: {
      ...TEXT_ATTRIBUTES,
      bcrypt_hash: {
        type: STRING,
        computed: true,
        sensitive: true,
        description:
          'A bcrypt hash of the generated random string. **NOTE**: If the generated random string is greater than 72 bytes in length, `bcrypt_hash` will contain a hash of the first 72 bytes.',
        modifiers: [useStateForUnknown],
      },
      id: {
        type: STRING,
        computed: true,
        description:
          'A static value used internally by Terraform, this should not be referenced in configurations.',
        modifiers: [useStateForUnknown],
      },
      result: {
        type: STRING,
        computed: true,
        sensitive: true,
        description: 'The generated random string.',
        modifiers: [useStateForUnknown],
      },
    },
    create: async ({ plan }): Promise<Outcome> => {
      const made = randomText(random, textRules(plan));
      if ('problem' in made) return { diagnostics: [readFailure(made.problem)] };
      const bcrypt_hash = await bcryptHash(random, made.text);
      return { state: plan.with({ id: 'none', result: made.text, bcrypt_hash }) };
    },
    import: async (id, empty): Promise<Outcome> => {
      const bcrypt_hash = await bcryptHash(random, id);
      return { state: empty.with({ ...importedText(id), id: 'none', bcrypt_hash }) };
    },
    upgrades: {
      0: {
        type: olderTextType([]),
        upgrade: async (older) => {
          const bcrypt_hash = str(await bcryptHash(random, resultOf(older)));
          return { state: upgradedText(older, { bcrypt_hash }) };
        },
      },
      1: {
        type: olderTextType(['bcrypt_hash']),
        upgrade: (older) => ({ state: upgradedText(older, hashOf(older)) }),
      },
      2: {
        type: olderTextType(['bcrypt_hash', 'numeric']),
        upgrade: async (older): Promise<Outcome> => {
          // Version 2 could store the hash of another text.
          const state = upgradedText(older, hashOf(older));
          const matched = await bcryptMatches(resultOf(older), textOf(older.attr('bcrypt_hash')));
          if (matched === true) return { state };
          if (typeof matched === 'string') {
            const detail = `An unexpected error occurred when comparing the state version 2 password and bcrypt hash. This is always an issue in the provider and should be reported to the provider developers.\n\nOriginal Error: ${matched}`;
            return { state, diagnostics: [error('Version 3 State Upgrade Error', detail)] };
          }
          const bcrypt_hash = str(await bcryptHash(random, resultOf(older)));
          return { state: upgradedText(older, { bcrypt_hash }) };
        },
      },
    },
  };
}

function textOf(v: Value): string {
  return v.isNull ? '' : v.asString();
}

function resultOf(older: Value): string {
  return textOf(older.attr('result'));
}

function hashOf(older: Value): { readonly bcrypt_hash: Value } {
  return { bcrypt_hash: older.attr('bcrypt_hash') };
}

/** The ephemeral `random_password`. */
export function ephemeralPassword({ random }: Pick<ProviderPorts, 'random'>): EphemeralDefinition {
  return {
    description:
      "-> If the managed resource doesn't have a write-only argument available for the password (first introduced in Terraform 1.11), then the password can only be created with the managed resource variant of [`random_password`](https://registry.terraform.io/providers/hashicorp/random/latest/docs/resources/password).\n\nGenerates an ephemeral password string using a cryptographic random number generator.\n\nThe primary use-case for generating an ephemeral random password is to be used in combination with a write-only argument in a managed resource, which will avoid Terraform storing the password string in the plan or state file.",
    attributes: {
      ...EPHEMERAL_TEXT_ATTRIBUTES,
      bcrypt_hash: {
        type: STRING,
        computed: true,
        sensitive: true,
        description:
          'A bcrypt hash of the generated random string. **NOTE**: If the generated random string is greater than 72 bytes in length, `bcrypt_hash` will contain a hash of the first 72 bytes.',
      },
      result: {
        type: STRING,
        computed: true,
        sensitive: true,
        description: 'The generated random string.',
      },
    },
    open: async (config): Promise<Outcome> => {
      const rules = textRules(config);
      const made = randomText(random, rules);
      if ('problem' in made) return { diagnostics: [readFailure(made.problem)] };
      const bcrypt_hash = await bcryptHash(random, made.text);
      return { state: config.with({ ...ruleValues(rules), result: made.text, bcrypt_hash }) };
    },
  };
}
