const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/** The text of the first element of a name in what a cloud answers; undefined where there is none. */
export function xmlText(page: string, name: string): string | undefined {
  const elementText = new RegExp(`<${name}>([^<]*)</${name}>`).exec(page)?.[1];
  return elementText?.replace(
    /&(?:lt|gt|quot|apos|amp|#x([0-9a-fA-F]+)|#([0-9]+));/g,
    (entity, hex, decimal) => {
      if (typeof hex === 'string') return String.fromCodePoint(Number.parseInt(hex, 16));
      if (typeof decimal === 'string') return String.fromCodePoint(Number(decimal));
      return ENTITIES[entity] ?? entity;
    },
  );
}
