import type { ProviderPorts } from '@terrane/provider';
import {
  dataSource,
  map,
  nullable,
  replaceIfMapValuesChange,
  resource,
  string,
} from '@terrane/provider/sdk';
import type { DataSource, Resource } from '@terrane/provider/sdk';

/** `null_resource`: does nothing; changed triggers replace it. */
export function nullResource({ random }: Pick<ProviderPorts, 'random'>): Resource {
  return resource({
    description:
      'The `null_resource` resource implements the standard resource lifecycle but takes no further action. On Terraform 1.4 and later, use the [`terraform_data` resource type](https://developer.hashicorp.com/terraform/language/resources/terraform-data) instead. Terraform 1.9 and later support the `moved` configuration block from `null_resource` to `terraform_data`.\n\nThe `triggers` argument allows specifying an arbitrary set of values that, when changed, will cause the resource to be replaced.',
    attributes: {
      id: string({
        computed: true,
        description: 'This is set to a random value at create time.',
        useStateForUnknown: true,
      }),
      triggers: map(nullable(string), {
        optional: true,
        description:
          'A map of arbitrary strings that, when changed, will force the null resource to be replaced, re-running any associated provisioners.',
        planModifiers: [replaceIfMapValuesChange],
      }),
    },
    create: ({ plan }) => ({ ...plan, id: randomNumber(random) }),
  });
}

const OBSOLETE =
  'The null_data_source was historically used to construct intermediate values to re-use elsewhere in configuration, the same can now be achieved using locals or the terraform_data resource type in Terraform 1.4 and later.';
const OBSOLETE_ID =
  'This attribute is only present for some legacy compatibility issues and should not be used. It will be removed in a future version.';

/** `null_data_source`: returns its inputs as outputs. */
export function nullDataSource({ random }: Pick<ProviderPorts, 'random'>): DataSource {
  return dataSource({
    deprecationMessage: OBSOLETE,
    description:
      'The `null_data_source` data source implements the standard data source lifecycle but does not\ninteract with any external APIs.\n\nHistorically, the `null_data_source` was typically used to construct intermediate values to re-use elsewhere in configuration. The\nsame can now be achieved using [locals](https://developer.hashicorp.com/terraform/language/values/locals) or the [terraform_data resource type](https://developer.hashicorp.com/terraform/language/resources/terraform-data) in Terraform 1.4 and later.',
    attributes: {
      has_computed_default: string({
        optional: true,
        computed: true,
        description:
          'If set, its literal value will be stored and returned. If not, its value defaults to `"default"`. This argument exists primarily for testing and has little practical use.',
      }),
      id: string({
        computed: true,
        description:
          'This attribute is only present for some legacy compatibility issues and should not be used. It will be removed in a future version.',
        deprecationMessage: OBSOLETE_ID,
      }),
      inputs: map(nullable(string), {
        optional: true,
        description:
          'A map of arbitrary strings that is copied into the `outputs` attribute, and accessible directly for interpolation.',
      }),
      outputs: map(nullable(string), {
        computed: true,
        nullable: true,
        description: 'After the data source is "read", a copy of the `inputs` map.',
      }),
      random: string({
        computed: true,
        description:
          'A random value. This is primarily for testing and has little practical use; prefer the [hashicorp/random provider](https://registry.terraform.io/providers/hashicorp/random) for more practical random number use-cases.',
      }),
    },
    read: ({ config }) => ({
      ...config,
      outputs: config.inputs,
      random: randomNumber(random),
      has_computed_default: config.has_computed_default ?? 'default',
      id: 'static',
    }),
  });
}

/** Returns a random 63-bit number in decimal. */
function randomNumber(random: ProviderPorts['random']): string {
  const bits = Buffer.from(random.bytes(8)).readBigUInt64BE();
  return (bits >> 1n).toString();
}
