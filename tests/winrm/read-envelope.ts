// Parses SOAP envelopes of both programs: one writes CDATA sections and line breaks between elements, the other escapes
// characters and writes none.

/** An element, by its name without the prefix; without a text where it holds others. */
export interface Told {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
};

/** The elements of an envelope, in their order. */
export function readEnvelope(xml: string): Told[] {
  const element =
    /<(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w.:-]+="[^"]*")*)\s*(?:\/>|>(?:(?:<!\[CDATA\[([^]*?)\]\]>|([^<]*))\s*<\/)?)/g;
  return [...xml.matchAll(element)].map(([, name = '', attributes = '', data, text = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...attributes.matchAll(/([\w.-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        plain(value),
      ]),
    ),
    text: data ?? plain(text),
  }));
}

function plain(text: string): string {
  return text.replaceAll(/&[#\w]+;/g, (entity) => {
    const [, hexadecimal, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? [];
    if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    const mark = ENTITIES[entity];
    if (mark === undefined) throw new Error(`${entity} is not known here`);
    return mark;
  });
}
