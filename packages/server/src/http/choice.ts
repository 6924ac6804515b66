/** Returns true if a text is one of the choices. */
export function isOneOf<Choice extends string>(
  choices: readonly Choice[],
  text: string,
): text is Choice {
  return choices.some((choice) => choice === text);
}
