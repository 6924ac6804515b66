import { parseVersionConstraint } from '@terrane/addresses';
import { invalid } from '../http/json-api.ts';

/** The longest version constraint of a workspace or run. */
const LONGEST = 200;

/** Throws an ApiError if the text is not a version, a version constraint or `latest`. */
export function requireVersionPin(text: string): void {
  if (text === 'latest') return;
  if (text.length > LONGEST || parseVersionConstraint(text).error !== undefined) {
    throw invalid('terraform-version', 'has to be a version, a version constraint or "latest"');
  }
}
