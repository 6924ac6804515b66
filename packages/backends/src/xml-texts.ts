/** The texts of all elements of a name that hold nothing but text, in their order: enough for what storages answer. */
export function xmlTexts(xml: string, name: string): readonly string[] {
  const element = new RegExp(`<${name}(?:\\s[^>]*)?(?:/>|>([^<]*)</${name}\\s*>)`, 'g');
  return [...xml.matchAll(element)].map(([, text = '']) => plain(text));
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

function plain(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(amp|apos|gt|lt|quot));/gi,
    (
      reference,
      hex: string | undefined,
      decimal: string | undefined,
      named: string | undefined,
    ) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return NAMED[(named ?? '').toLowerCase()] ?? reference;
    },
  );
}
