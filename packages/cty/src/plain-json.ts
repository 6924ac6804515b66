import { JsonReader, JsonSyntaxError } from './json-reader.ts';

/**
 * Parses JSON text into plain values, as `JSON.parse` does. Throws a `SyntaxError` with the message of Go's
 * `json.Unmarshal` for invalid JSON, as in Terraform. The messages quote at most one character
 * of the input.
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
  // Go's scanner treats the end as a space.
  const reader = new JsonReader(`${text} `);
  try {
    reader.skipValue();
    if (reader.peek() !== -1) reader.unexpected('after top-level value');
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { message } = error;
    if (/^(?:unexpected )?EOF$/.test(message)) return 'unexpected end of JSON input';
    // The messages of Go's token reader, which the reader uses, do not name the expected token here.
    const isKey = /^invalid character '.*'$/.test(message);
    return isKey ? `${message} looking for beginning of object key string` : message;
  }
}
