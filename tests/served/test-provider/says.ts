// Messages of the provider.
import { ProviderError } from '@terrane/provider/sdk';

/** Summary and detail of a diagnostic. */
export function says(summary: string): readonly [string, string] {
  return [summary, `The provider says: ${summary}.`];
}

/** An error that ends a handler. */
export function refusal(summary: string): ProviderError {
  return new ProviderError(...says(summary));
}
