/** Formats JSON as Terraform's `jsonencode`: sorted names, no white space. Text that is not JSON is unchanged. */
export function normalJson(text: string | undefined): string {
  if (text === undefined || text === '') return '';
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(sorted(value)).replace(/[<>&\u2028\u2029]/g, escaped);
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => [
    name,
    sorted(part),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
