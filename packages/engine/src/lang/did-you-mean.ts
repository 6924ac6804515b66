import { quoteText } from '@terrane/cty';
import { nameSuggestion } from '@terrane/hcl';

/** ` Did you mean "name"?` with the first of the names that is close to the one given, or nothing. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const suggestion = nameSuggestion(given, names);
  return suggestion === undefined ? '' : ` Did you mean ${quoteText(suggestion)}?`;
}
