import { type AttributeOf, map, type MapOf, string } from '@terrane/provider/sdk';

/** What every resource type has. */
export const global: { readonly id: AttributeOf<typeof string, 'optional, computed'> } = {
  id: string({ optional: true, computed: true }),
};

/** What every resource type of a service has that is another one in each region. */
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

/** The name that Amazon gives an object for the whole world. */
export const arn: { readonly arn: AttributeOf<typeof string, 'computed'> } = {
  arn: string({ computed: true }),
};

/** The tags of an object: those that are its own, and with those of the provider block. */
export const tagged: {
  readonly tags: AttributeOf<MapOf<string>, 'optional'>;
  readonly tags_all: AttributeOf<MapOf<string>, 'optional, computed'>;
} = {
  tags: map(string, { optional: true }),
  tags_all: map(string, { optional: true, computed: true }),
};
