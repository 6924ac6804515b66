// XML of protocols, parsed with the streaming parser `sax`. Neither it nor this module recurses for nested
// elements, so the depth is limited during parsing. Exported as `@terrane/host/xml` and not by the index,
// so that only code that reads XML loads the parser.
import sax from 'sax';
import { escapeXml } from './escape-xml.ts';

/** The maximum nesting depth of elements; documents of WS-Management and of object stores are less than ten deep. */
const MAX_DEPTH = 100;

/** The maximum length of a document in UTF-16 code units. A page of 1000 keys of an object store has less than 2 Mi. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Options of `sax`. Only the five predefined entities of XML are supported, not those of HTML. */
const OPTIONS = { strictEntities: true, position: false };

/** An element of a document, with its name and the names of its attributes without prefixes. */
export class XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly #texts: readonly string[];
  readonly #start: number;
  #end: number;

  /** `texts` contains all texts of the document; those of the element begin at index `start`. */
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

  /** The text of the element and its descendants, joined on demand: nested elements would multiply the text. */
  get text(): string {
    return this.#texts.slice(this.#start, this.#end).join('');
  }

  /** Ends the element before the text with the index `end`. */
  close(end: number): void {
    this.#end = end;
  }
}

/**
 * Returns all elements of a document in the order of their start tags. Throws if the document is not well-formed, has
 * a document type (which could declare entities), is too long or is nested too deeply.
 */
export function parseXml(xml: string): readonly XmlElement[] {
  if (xml.length > MAX_LENGTH) throw new Error('the XML of the response is too long');
  const elements: XmlElement[] = [];
  const texts: string[] = [];
  const open: XmlElement[] = [];
  let limit: Error | undefined;
  const parser = sax.parser(true, OPTIONS);
  const exceed = (reason: string): never => {
    limit = new Error(`the XML of the response ${reason}`);
    throw limit;
  };
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => exceed('has a document type');
  parser.onopentag = ({ name, attributes }) => {
    if (open.length >= MAX_DEPTH) exceed(`is nested more than ${MAX_DEPTH} elements deep`);
    const element = new XmlElement(localName(name), localNames(attributes), texts, texts.length);
    elements.push(element);
    open.push(element);
  };
  parser.onclosetag = () => open.pop()?.close(texts.length);
  parser.ontext = (text) => texts.push(text);
  parser.oncdata = (text) => texts.push(text);
  try {
    parser.write(xml).close();
  } catch (error) {
    throw limit ?? new Error('the response is not well-formed XML', { cause: error });
  }
  if (elements.length === 0) throw new Error('the response is not well-formed XML');
  return elements;
}

/** Returns the texts of the elements with a name, in document order. */
export function xmlTexts(elements: readonly XmlElement[], name: string): readonly string[] {
  return elements.flatMap((element) => (element.name === name ? element.text : []));
}

/**
 * Returns a function from a name to the text of the first element with that name, undefined if there is none. A
 * response that is not XML, such as the error page of a proxy, has no elements.
 */
export function xmlTextByName(response: string): (name: string) => string | undefined {
  let elements: readonly XmlElement[] = [];
  try {
    elements = parseXml(response);
  } catch {
    // The status and the other fields of the response describe the error.
  }
  return (name) => elements.find((element) => element.name === name)?.text;
}

/** Formats an element. Attributes and text are escaped; `content` is a text, or elements that are formatted. */
export function formatXmlElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly string[] = [],
): string {
  const open = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const inner = typeof content === 'string' ? escapeXml(content) : content.join('');
  return inner === ''
    ? `<${name}${open.join('')}/>`
    : `<${name}${open.join('')}>${inner}</${name}>`;
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

function localNames(
  attributes: Readonly<Record<string, string | sax.QualifiedAttribute>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      localName(name),
      typeof value === 'string' ? value : value.value,
    ]),
  );
}
