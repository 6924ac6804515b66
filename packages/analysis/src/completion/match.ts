/** The number of proposals up to which schemas are decoded to describe them. */
export const MAX_DESCRIBED = 100;

/** The typed characters occur in the label in this order, as editors match them. */
export function isMatch(label: string, typed: string): boolean {
  const lower = label.toLowerCase();
  let at = 0;
  for (const character of typed.toLowerCase()) {
    at = lower.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
