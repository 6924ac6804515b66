// XML as WS-Management needs it: elements with attributes and texts; no document types and no entities of its own.

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader makes one space or line end of these otherwise.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** An element, by its name without the prefix, with the text that is in it and in what is in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An element as text; attributes and text are escaped, `children` are elements as text. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly string[] = [],
): string {
  const open = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inner = typeof content === 'string' ? escaped(content) : content.join('');
  return inner === ''
    ? `<${name}${open.join('')}/>`
    : `<${name}${open.join('')}>${inner}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"\r\n\t]/g, (mark) => MARKS[mark] ?? mark);
}

const TOKEN =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<(\/?)([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** All elements of a document, in the order in which they begin. Throws where it is not well-formed. */
export function readXml(xml: string): readonly XmlElement[] {
  const found: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: { readonly tag: string; readonly at: number }[] = [];
  const add = (text: string): void => {
    for (const { at } of open) {
      const element = found[at];
      if (element !== undefined) element.text += text;
    }
  };
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const token = TOKEN.exec(xml);
    if (token === null) throw new Error('the answer is not well-formed XML');
    const [, data, closing, tag, attributes = '', empty, text] = token;
    if (data !== undefined) add(data);
    else if (text !== undefined) add(plain(text));
    else if (tag !== undefined && closing === '/') {
      if (open.pop()?.tag !== tag) throw new Error('the answer is not well-formed XML');
    } else if (tag !== undefined) {
      found.push({ name: localName(tag), attributes: attributesOf(attributes), text: '' });
      if (empty === '') open.push({ tag, at: found.length - 1 });
    }
  }
  if (open.length > 0 || found.length === 0) throw new Error('the answer is not well-formed XML');
  return found;
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
      localName(name),
      plain(double ?? single ?? ''),
    ]),
  );
}

function plain(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, named = '') => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return NAMED[String(named)] ?? whole;
    },
  );
}
