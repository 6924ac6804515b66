/** The maximum length of remote text that a diagnostic quotes, in UTF-16 code units. */
const QUOTED = 8 * 1024;

/** Returns a remote text for a diagnostic, truncated if it is too long. */
export function brief(text: string): string {
  return text.length <= QUOTED ? text : `${text.slice(0, QUOTED)}…`;
}
