/** Control characters other than line breaks and tabs (C0, DEL, C1), and characters that reorder the following text. */
// oxlint-disable-next-line no-control-regex
const CONTROLS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Matches the escape sequences that the program itself writes: the colors of its palette, none of which hides text, and
 * links to files. All others are single control characters.
 */
// oxlint-disable-next-line no-control-regex
const CONTROLS_OR_OWN = new RegExp(
  String.raw`\u001b\[(?:[0124]|3[1-7]|9[0-6])m|\u001b\]8;;(?:(?:file|vscode|zed)://[\u0021-\u007e]*)?\u001b\\|` +
    CONTROLS.source,
  'g',
);

/**
 * Escapes control characters for a terminal. Values, names, file names and messages of providers and servers may
 * contain control characters that move the cursor, hide lines or reorder text, even at the approval prompt. They become
 * `\u001b`, which in JSON represents the same character. The program's own colors and links are kept.
 */
export function terminalText(text: string): string {
  if (!CONTROLS.test(text)) return text;
  return text.replace(CONTROLS_OR_OWN, (match) =>
    match.length > 1 ? match : `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
