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
export class XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly #texts: readonly string[];
  readonly #start: number;
  #end: number;

  /** `texts`: those of the document, of which the element has a part that begins at `start`. */
  constructor(
    name: string,
    attributes: Readonly<Record<string, string>>,
    texts: readonly string[],
    start: number,
  ) {
    this.name = name;
    this.attributes = attributes;
    this.#texts = texts;
    this.#start = start;
    this.#end = start;
  }

  /** Joined when it is asked for: with elements in elements, all texts together are longer than the document. */
  get text(): string {
    return this.#texts.slice(this.#start, this.#end).join('');
  }

  /** The element ends before the text of that number. */
  close(end: number): void {
    this.#end = end;
  }
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

/** The maximum nesting depth of elements; those of WS-Management are less than ten deep. */
const DEEPEST = 100;

/** All elements of a document, in the order in which they begin. Throws if it is not well-formed or too deep. */
export function readXml(xml: string): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  const texts: string[] = [];
  const open: { readonly tag: string; readonly element: XmlElement }[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const token = TOKEN.exec(xml);
    if (token === null) throw new Error('the answer is not well-formed XML');
    const [, data, closing, tag, attributes = '', empty, text] = token;
    if (data !== undefined) texts.push(data);
    else if (text !== undefined) texts.push(plain(text));
    else if (tag !== undefined && closing === '/') {
      const last = open.pop();
      if (last?.tag !== tag) throw new Error('the answer is not well-formed XML');
      last.element.close(texts.length);
    } else if (tag !== undefined) {
      const element = new XmlElement(localName(tag), attributesOf(attributes), texts, texts.length);
      elements.push(element);
      if (empty !== '') continue;
      open.push({ tag, element });
      if (open.length > DEEPEST) throw new Error('the answer has too many elements in elements');
    }
  }
  if (open.length > 0 || elements.length === 0)
    throw new Error('the answer is not well-formed XML');
  return elements;
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
    (entity, hex: string | undefined, decimal: string | undefined, named = '') => {
      if (hex !== undefined) return character(Number.parseInt(hex, 16));
      if (decimal !== undefined) return character(Number(decimal));
      return NAMED[String(named)] ?? entity;
    },
  );
}

function character(code: number): string {
  if (code > 0x10_ffff) throw new Error('the answer is not well-formed XML');
  return String.fromCodePoint(code);
}
