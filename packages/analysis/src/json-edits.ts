import {
  JsonBody,
  type JsonObjectNode,
  type JsonProperty,
  type JsonSyntaxNode,
} from '@terrane/hcl';
import type { ChangeSet } from './edits.ts';
import type { SourceDocument } from './source-document.ts';
import type { Span } from './symbol.ts';

/** A member of an object. A text is inserted as it is. */
export interface NewMember {
  readonly name: string;
  readonly value: unknown;
  /** the value as JSON text, instead of `value` */
  readonly text?: string;
}

/** Returns the root object of a JSON file; undefined for other files. */
export function jsonRoot({ parsed: { body } }: SourceDocument): JsonObjectNode | undefined {
  return body instanceof JsonBody && body.node.kind === 'object' ? body.node : undefined;
}

/** Returns the properties that contain an offset, from the outermost. Arrays are passed through. */
export function propertiesAt(root: JsonObjectNode, offset: number): readonly JsonProperty[] {
  const properties: JsonProperty[] = [];
  let node: JsonSyntaxNode | undefined = root;
  while (node !== undefined) {
    if (node.kind === 'object') {
      const property: JsonProperty | undefined = node.properties.find(
        ({ nameRange, value }) => nameRange.start <= offset && offset <= value.range.end,
      );
      if (property !== undefined) properties.push(property);
      node = property?.value;
    } else if (node.kind === 'array')
      node = node.elements.find(({ range }) => range.start <= offset && offset <= range.end);
    else node = undefined;
  }
  return properties;
}

/** Returns the last property of a name. */
export function propertyOf(object: JsonObjectNode, name: string): JsonProperty | undefined {
  return object.properties.findLast((property) => property.name === name);
}

/** Writes changes of a JSON file that keep its layout: objects on one line stay on one line. */
export class JsonEditor {
  readonly #document: SourceDocument;
  readonly #root: JsonObjectNode;
  readonly #set: ChangeSet;

  constructor(document: SourceDocument, root: JsonObjectNode, set: ChangeSet) {
    this.#document = document;
    this.#root = root;
    this.#set = set;
  }

  /** Adds a member to the object that keys lead to. Objects that do not exist are created. Returns false for other values. */
  addMember(path: readonly string[], member: NewMember): boolean {
    let object = this.#root;
    for (const [index, name] of path.entries()) {
      const value = propertyOf(object, name)?.value;
      if (value === undefined) {
        const nested = path
          .slice(index + 1)
          .reduceRight((inner, key) => ({ [key]: inner }), {} as object);
        const text = this.#valueText(object, wrapped(nested, member));
        this.addTo(object, [{ name, value: undefined, text }]);
        return true;
      }
      const last: JsonSyntaxNode | undefined =
        value.kind === 'array' ? value.elements.at(-1) : value;
      if (last?.kind !== 'object') return false;
      object = last;
    }
    this.addTo(object, [member]);
    return true;
  }

  /** Appends elements to the array at a key of the root object, which may also be a single object. */
  addElements(name: string, elements: readonly unknown[]): void {
    const value = propertyOf(this.#root, name)?.value;
    if (value === undefined) {
      this.addTo(this.#root, [{ name, value: elements }]);
      return;
    }
    const texts = elements.map((element) => JSON.stringify(element)).join(', ');
    const { start, end } = value.range;
    if (value.kind !== 'array') {
      this.#set.add(this.#document.path, start, start, '[');
      this.#set.add(this.#document.path, end, end, `, ${texts}]`);
      return;
    }
    const at = value.elements.at(-1)?.range.end ?? start + 1;
    this.#set.add(this.#document.path, at, at, value.elements.length === 0 ? texts : `, ${texts}`);
  }

  /** Adds members at the end of an object. */
  addTo(object: JsonObjectNode, members: readonly NewMember[]): void {
    const { path } = this.#document;
    const last = object.properties.at(-1);
    const texts = members.map(
      ({ name, value, text: jsonText }) =>
        `${JSON.stringify(name)}: ${jsonText ?? this.#valueText(object, JSON.stringify(value, undefined, this.#unit()))}`,
    );
    if (this.#isOnOneLine(object)) {
      const at = last?.value.range.end ?? object.range.start + 1;
      const joined = texts.join(', ');
      this.#set.add(path, at, at, last === undefined ? joined : `, ${joined}`);
      return;
    }
    const indent = `${this.#indentAt(object.range.start)}${this.#unit()}`;
    const lines = texts.map((line) => `\n${indent}${line}`).join(',');
    if (last !== undefined) {
      this.#set.add(path, last.value.range.end, last.value.range.end, `,${lines}`);
      return;
    }
    const { start: close } = object.closeRange;
    this.#set.add(
      path,
      object.range.start + 1,
      close,
      `${lines}\n${this.#indentAt(object.range.start)}`,
    );
  }

  /** Removes the innermost property whose name contains an offset, with a comma. Returns false if there is none. */
  removeAt(offset: number): boolean {
    const chain = propertiesAt(this.#root, offset);
    const property = chain.at(-1);
    const outer = chain.at(-2)?.value ?? this.#root;
    const object =
      outer.kind === 'array'
        ? outer.elements.find(({ range }) => range.start <= offset && offset <= range.end)
        : outer;
    if (property === undefined || object?.kind !== 'object') return false;
    if (offset > property.nameRange.end) return false;
    const { start, end } = removedProperty(object, property);
    this.#set.add(this.#document.path, start, end, '');
    return true;
  }

  /** Returns JSON text of several lines with the indentation of a member of an object, or on one line if the object is. */
  #valueText(object: JsonObjectNode, json: string): string {
    if (this.#isOnOneLine(object)) return JSON.stringify(JSON.parse(json));
    const indent = `${this.#indentAt(object.range.start)}${this.#unit()}`;
    return json.replaceAll('\n', `\n${indent}`);
  }

  /** Returns true for an object without line breaks; an empty one is laid out as the file. */
  #isOnOneLine(object: JsonObjectNode): boolean {
    const { text } = this.#document;
    if (object.properties.length === 0) return !text.trim().includes('\n') && text.trim() !== '{}';
    return !text.slice(object.range.start, object.range.end).includes('\n');
  }

  #indentAt(offset: number): string {
    const { text } = this.#document;
    return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
  }

  /** The indentation of the first member of the file. */
  #unit(): string {
    const [first] = this.#root.properties;
    const indent = first === undefined ? '' : this.#indentAt(first.nameRange.start);
    return indent === '' ? '  ' : indent;
  }
}

/** The text of nested objects with a member in the innermost one. */
function wrapped(nested: object, { name, value, text }: NewMember): string {
  const inner = text === undefined ? value : (JSON.parse(text) as unknown);
  const add = (object: object): object => {
    const [key] = Object.keys(object);
    return key === undefined
      ? { [name]: inner }
      : { [key]: add((object as Readonly<Record<string, object>>)[key] ?? {}) };
  };
  return JSON.stringify(add(nested), undefined, 2);
}

/** A property with the comma that separates it from another one. */
function removedProperty({ properties, range }: JsonObjectNode, property: JsonProperty): Span {
  const index = properties.indexOf(property);
  const next = properties[index + 1];
  if (next !== undefined) return { start: property.nameRange.start, end: next.nameRange.start };
  const before = properties[index - 1];
  return { start: before?.value.range.end ?? range.start + 1, end: property.value.range.end };
}
