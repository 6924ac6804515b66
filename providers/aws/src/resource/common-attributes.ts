import {
  type AttributeOf,
  type AttributeValidator,
  map,
  type MapOf,
  string,
} from '@terrane/provider/sdk';

/** The attributes of every resource type. */
export const global: { readonly id: AttributeOf<typeof string, 'optional, computed'> } = {
  id: string({ optional: true, computed: true }),
};

/** The attributes of every resource type of a regional service. */
export const regional: typeof global & {
  readonly region: AttributeOf<typeof string, 'optional, computed'>;
} = {
  ...global,
  region: string({
    optional: true,
    computed: true,
    description:
      'Region where this resource will be [managed](https://docs.aws.amazon.com/general/latest/gr/rande.html#regional-endpoints). Defaults to the Region set in the [provider configuration](https://registry.terraform.io/providers/hashicorp/aws/latest/docs#aws-configuration-reference).',
  }),
};

/** The globally unique name of an object, assigned by AWS. */
export const arn: { readonly arn: AttributeOf<typeof string, 'computed'> } = {
  arn: string({ computed: true }),
};

/** The tags of an object: its own, and all including those of the provider block. */
export const tagged: {
  readonly tags: AttributeOf<MapOf<string>, 'optional'>;
  readonly tags_all: AttributeOf<MapOf<string>, 'optional, computed'>;
} = {
  tags: map(string, { optional: true }),
  tags_all: map(string, { optional: true, computed: true }),
};

/** Returns computed string attributes with the given names. */
export function computedTexts<const N extends string>(
  ...names: readonly N[]
): { readonly [K in N]: AttributeOf<typeof string, 'computed'> } {
  const entries = names.map((name) => [name, string({ computed: true })] as const);
  // The object has a member for each name.
  return Object.fromEntries(entries) as {
    readonly [K in N]: AttributeOf<typeof string, 'computed'>;
  };
}

type Name = AttributeOf<typeof string, 'optional, computed'>;

/** The name of an object and its prefix, which conflict with each other; `nameOf` resolves them. */
export const named: { readonly name: Name; readonly name_prefix: Name } = namedBy([], []);

/** Names with further validators; see {@link named}. */
export function namedBy(
  name: readonly AttributeValidator[],
  prefix: readonly AttributeValidator[],
): typeof named {
  const computedName = { optional: true, computed: true, requiresReplace: true } as const;
  return {
    name: string({ ...computedName, validators: name }),
    name_prefix: string({ ...computedName, validators: prefix }),
  };
}
