import {
  defineProvider,
  isUnknown,
  type Provider,
  ProviderError,
  providerFunction,
  string,
} from '@terrane/provider/sdk';
import { ExampleCloudClient } from './client.ts';
import { item } from './item.ts';
import { items } from './items.ts';

/** Creates the provider. */
export function exampleCloudProvider(): Provider {
  return defineProvider({
    config: {
      attributes: {
        directory: string({ required: true, description: 'Directory of the items.' }),
      },
    },
    configure({ config }) {
      if (isUnknown(config.directory)) {
        throw new ProviderError('Unknown directory', 'The directory must be known in a plan.');
      }
      return new ExampleCloudClient(config.directory);
    },
    resources: { examplecloud_item: item },
    dataSources: { examplecloud_items: items },
    functions: {
      slug: providerFunction({
        summary: 'A text in lower case, with hyphens between the words.',
        parameters: { text: string },
        returns: string,
        call: ({ text }) =>
          text
            .toLowerCase()
            .replaceAll(/[^a-z0-9]+/g, '-')
            .replaceAll(/^-|-$/g, ''),
      }),
    },
  });
}
