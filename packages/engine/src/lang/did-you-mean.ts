import { quoteText } from '@terrane/cty';
import { closestName, nameSuggestion } from '@terrane/hcl';

/** ` Did you mean "name"?` with the first similar name; an empty text if none is similar. */
export function didYouMean(name: string, names: Iterable<string>): string {
  return question(nameSuggestion(name, names));
}

/** Variant of {@link didYouMean} that suggests the closest name, for messages that Terraform does not have. */
export function didYouMeanClosest(name: string, names: Iterable<string>): string {
  return question(closestName(name, names));
}

function question(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` Did you mean ${quoteText(suggestion)}?`;
}
