/** JSON text that is embedded unchanged, because parsing it would round its numbers. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Data that is formatted as JSON; members that are undefined are omitted. */
export type JsonData =
  | string
  | number
  | boolean
  | null
  | RawJson
  | readonly JsonData[]
  | { readonly [name: string]: JsonData | undefined };

/** Formats data as JSON, on one line. */
export function jsonText(data: JsonData): string {
  if (data instanceof RawJson) return data.text;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  if (isArray(data)) return `[${data.map(jsonText).join(',')}]`;
  const members = Object.entries(data).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${jsonText(member)}`],
  );
  return `{${members.join(',')}}`;
}

// The library's type guard loses the element type of readonly arrays.
function isArray(data: object): data is readonly JsonData[] {
  return Array.isArray(data);
}
