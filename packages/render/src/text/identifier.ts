const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

/** Whether a name can be written without quotes in the language. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}
