/** White space is escaped because a parser normalizes line ends, and all of it in attributes. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&#34;'],
  ["'", '&#39;'],
  ['\t', '&#x9;'],
  ['\n', '&#xA;'],
  ['\r', '&#xD;'],
]);

/** Escapes a text for element content and attributes of XML and HTML, spelt as `encoding/xml` of Go does. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"'\t\n\r]/g, (character) => ESCAPES.get(character) ?? character);
}

/** Replaces the characters that XML cannot represent, even escaped, with U+FFFD. */
export function replaceNonXmlCharacters(text: string): string {
  return text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
