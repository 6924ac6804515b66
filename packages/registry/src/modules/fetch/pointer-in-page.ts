/**
 * Returns the package location in an HTML page: `<meta name="terraform-get" content="…">` in its head. Undefined if
 * absent.
 */
export function findPointer(page: string): string | undefined {
  const text = page.replace(/<!--[\s\S]*?-->/g, '');
  for (const [, close, name = '', attributes = ''] of text.matchAll(TAG)) {
    const tag = name.toLowerCase();
    if (tag === 'body' || (close !== undefined && tag === 'head')) return undefined;
    if (close !== undefined || tag !== 'meta') continue;
    const values = attributesOf(attributes);
    const content = values.get('content') ?? '';
    if (values.get('name') === 'terraform-get' && content !== '') return content;
  }
  return undefined;
}

const TAG = /<(\/)?([A-Za-z][A-Za-z0-9:-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

function attributesOf(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, decode(double ?? single ?? bare ?? ''));
  }
  return values;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));/g,
    (entity, hex, decimal, name) => {
      if (typeof hex === 'string') return String.fromCodePoint(Number.parseInt(hex, 16));
      if (typeof decimal === 'string') return String.fromCodePoint(Number(decimal));
      return ENTITIES[String(name)] ?? entity;
    },
  );
}
