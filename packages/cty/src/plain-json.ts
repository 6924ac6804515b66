import { JsonReader, JsonSyntaxError } from './json-reader.ts';

/**
 * Parses JSON text into plain values, as `JSON.parse` does. Text that is none throws a `SyntaxError` in the words of
 * Go's `json.Unmarshal`, which are those that Terraform's messages have, and which quote no more than a letter.
 */
export function parsePlainJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    throw new SyntaxError(problemOf(text) ?? 'it is no JSON');
  }
}

function problemOf(text: string): string | undefined {
  // Go's scanner takes the end for a space.
  const reader = new JsonReader(`${text} `);
  try {
    reader.skipValue();
    if (reader.peek() !== -1) reader.unexpected('after top-level value');
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { message } = error;
    if (/^(?:unexpected )?EOF$/.test(message)) return 'unexpected end of JSON input';
    // Go's token reader, whose words the reader has, does not say what it looks for here.
    const isKey = /^invalid character '.*'$/.test(message);
    return isKey ? `${message} looking for beginning of object key string` : message;
  }
}
