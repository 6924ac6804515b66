/** Returns a text of an agent or of another user in one line, so that it cannot pretend to be a line of the program. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
