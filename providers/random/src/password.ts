import type { ProviderPorts } from '@terrane/provider';
import {
  bool,
  ephemeralResource,
  ProviderError,
  resource,
  string,
  upgradeFrom,
} from '@terrane/provider/sdk';
import type { EphemeralResource, Resource } from '@terrane/provider/sdk';
import { bcryptHash, bcryptMatches } from './bcrypt.ts';
import { randomText } from './random-text.ts';
import {
  EPHEMERAL_TEXT_ATTRIBUTES,
  ruleValues,
  TEXT_ATTRIBUTES,
  textRules,
} from './text-attributes.ts';
import { importedText, OLDER_TEXT, upgradedText } from './text-state.ts';

const hash = string({ computed: true });

const PASSWORD_ATTRIBUTES = {
  ...TEXT_ATTRIBUTES,
  bcrypt_hash: string({
    computed: true,
    sensitive: true,
    description:
      'A bcrypt hash of the generated random string. **NOTE**: If the generated random string is greater than 72 bytes in length, `bcrypt_hash` will contain a hash of the first 72 bytes.',
    useStateForUnknown: true,
  }),
  id: string({
    computed: true,
    description:
      'A static value used internally by Terraform, this should not be referenced in configurations.',
    useStateForUnknown: true,
  }),
  result: string({
    computed: true,
    sensitive: true,
    description: 'The generated random string.',
    useStateForUnknown: true,
  }),
};

/** `random_password`: a sensitive random text. */
export function passwordResource({ random }: Pick<ProviderPorts, 'random'>): Resource {
  return resource({
    version: 3,
    description:
      '-> If the managed resource supports a write-only attribute for the password (first introduced in Terraform 1.11), then the ephemeral variant of [`random_password`](https://registry.terraform.io/providers/hashicorp/random/latest/docs/ephemeral-resources/password) should be used, when possible, to avoid storing the password in the plan or state file.\n\nIdentical to [`random_string`](https://registry.terraform.io/providers/hashicorp/random/latest/docs/resources/string) with the exception that the result is treated as sensitive and, thus, _not_ displayed in console output. Read more about sensitive data handling in the [Terraform documentation](https://developer.hashicorp.com/terraform/language/state/sensitive-data).\n\nThis resource *does* use a cryptographic random number generator.',
    attributes: PASSWORD_ATTRIBUTES,
    create: async ({ plan }) => {
      const rules = textRules(plan);
      const { numeric } = rules;
      const result = randomText(random, rules);
      const bcrypt_hash = await bcryptHash(random, result);
      return { ...plan, number: numeric, numeric, id: 'none', result, bcrypt_hash };
    },
    import: async ({ id = '' }) => {
      const bcrypt_hash = await bcryptHash(random, id);
      return { ...importedText(id), id: 'none', bcrypt_hash };
    },
    upgraders: {
      0: upgradeFrom({ attributes: OLDER_TEXT }, async (older) => {
        const bcrypt_hash = await bcryptHash(random, older.result ?? '');
        return { ...upgradedText(older), bcrypt_hash };
      }),
      1: upgradeFrom({ attributes: { ...OLDER_TEXT, bcrypt_hash: hash } }, (older) => ({
        ...upgradedText(older),
        bcrypt_hash: older.bcrypt_hash,
      })),
      2: upgradeFrom(
        { attributes: { ...OLDER_TEXT, bcrypt_hash: hash, numeric: bool({ optional: true }) } },
        async (older) => {
          // Version 2 could store the hash of another text.
          const state = upgradedText(older);
          const matched = await bcryptMatches(state.result, older.bcrypt_hash);
          if (matched === true) return { ...state, bcrypt_hash: older.bcrypt_hash };
          if (typeof matched === 'string') {
            const detail = `An unexpected error occurred when comparing the state version 2 password and bcrypt hash. This is always an issue in the provider and should be reported to the provider developers.\n\nOriginal Error: ${matched}`;
            throw new ProviderError('Version 3 State Upgrade Error', detail);
          }
          return { ...state, bcrypt_hash: await bcryptHash(random, state.result) };
        },
      ),
    },
  });
}

/** The ephemeral `random_password`. */
export function ephemeralPassword({ random }: Pick<ProviderPorts, 'random'>): EphemeralResource {
  return ephemeralResource({
    description:
      "-> If the managed resource doesn't have a write-only argument available for the password (first introduced in Terraform 1.11), then the password can only be created with the managed resource variant of [`random_password`](https://registry.terraform.io/providers/hashicorp/random/latest/docs/resources/password).\n\nGenerates an ephemeral password string using a cryptographic random number generator.\n\nThe primary use-case for generating an ephemeral random password is to be used in combination with a write-only argument in a managed resource, which will avoid Terraform storing the password string in the plan or state file.",
    attributes: {
      ...EPHEMERAL_TEXT_ATTRIBUTES,
      bcrypt_hash: string({
        computed: true,
        sensitive: true,
        description:
          'A bcrypt hash of the generated random string. **NOTE**: If the generated random string is greater than 72 bytes in length, `bcrypt_hash` will contain a hash of the first 72 bytes.',
      }),
      result: string({
        computed: true,
        sensitive: true,
        description: 'The generated random string.',
      }),
    },
    open: async ({ config }) => {
      const rules = textRules(config);
      const result = randomText(random, rules);
      const bcrypt_hash = await bcryptHash(random, result);
      return { ...config, ...ruleValues(rules), result, bcrypt_hash };
    },
  });
}
