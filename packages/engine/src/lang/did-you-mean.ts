import { quoteText } from '@terrane/cty';
import { closestName, nameSuggestion } from '@terrane/hcl';

/** ` Did you mean "name"?` with the first of the names that is close to the one given, or nothing. */
export function didYouMean(name: string, names: Iterable<string>): string {
  return question(nameSuggestion(name, names));
}

/** The same with the closest of the names, for messages that are not Terraform's. */
export function didYouMeanClosest(name: string, names: Iterable<string>): string {
  return question(closestName(name, names));
}

function question(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` Did you mean ${quoteText(suggestion)}?`;
}
