import { CtyError } from './cty-error.ts';
import { parseJson } from './json-node.ts';
import {
  attributeIndex,
  mapOfEntries,
  primitiveFromBool,
  primitiveFromNumber,
  sequence,
  typeOfDynamic,
  withNulls,
} from './json-parts.ts';
import { detached, JsonReader } from './json-reader.ts';
import { type TemplateLimits, TemplateList } from './template-list.ts';
import {
  type CollectionType,
  type ObjectType,
  type PrimitiveType,
  STRING,
  type TupleType,
  type Type,
} from './type.ts';
import { nullOf, type Value } from './value.ts';
import { objectOf, str, tuple } from './values.ts';

/*
 * A large state contains the JSON of many objects of one type that differ in a few strings and numbers only. A template
 * is such a text: what lies between these is compared with the next text, and not parsed again. A text that differs in
 * anything else is parsed, so that templates affect neither values nor errors.
 */

/** Number of texts of a type that are parsed before the first one becomes a template: few states have more objects. */
const PARSED_FIRST = 100;
const MAX_TEMPLATE_LENGTH = 1 << 14;
const LIMITS: TemplateLimits = { templates: 4, credit: 50 };

/** The templates of one type. */
export class JsonTemplates {
  readonly #type: Type;
  readonly #list = new TemplateList<Template>(LIMITS);
  #parsed = 0;

  constructor(type: Type) {
    this.#type = type;
  }

  /** Decodes a text that differs from a template only in strings and numbers; undefined for all other texts. */
  read(text: string): Value | undefined {
    const { templates } = this.#list;
    for (let i = 0; i < templates.length; i++) {
      const value = (templates[i] as Template).read(text);
      if (value === undefined) continue;
      this.#list.matched(i);
      return value;
    }
    return undefined;
  }

  /** Makes a template of a text that was parsed without errors, if it can be expected to save more than it costs. */
  add(text: string): void {
    if (this.#parsed < PARSED_FIRST) {
      this.#parsed++;
      return;
    }
    this.#list.add(() =>
      text.length > MAX_TEMPLATE_LENGTH ? undefined : templateOf(text, this.#type),
    );
  }
}

const byType = new WeakMap<Type, JsonTemplates>();
let last: { readonly type: Type; readonly templates: JsonTemplates } | undefined;

/** Returns the templates of a type, which all decoders share. */
export function templatesOf(type: Type): JsonTemplates {
  if (last?.type === type) return last.templates;
  let templates = byType.get(type);
  if (templates === undefined) byType.set(type, (templates = new JsonTemplates(type)));
  last = { type, templates };
  return templates;
}

/** A part of a template that contains strings or numbers, and thus has another value in each text. */
interface VariablePart {
  /** Reads the part and the fixed text before each string and number in it; undefined if the text differs. */
  read(reader: JsonReader): Value | undefined;
}

/** A part of a template, and its value in the text that the template was made of. */
interface Part {
  readonly value: Value;
  /** undefined: the value is the same in all texts */
  readonly variable: VariablePart | undefined;
}

class Template {
  readonly #part: Part;
  readonly #end: string;

  constructor(part: Part, end: string) {
    this.#part = part;
    this.#end = end;
  }

  read(text: string): Value | undefined {
    const { value, variable } = this.#part;
    if (variable === undefined) return text.startsWith(this.#end) ? value : undefined;
    const reader = new JsonReader(text);
    try {
      const read = variable.read(reader);
      return text.startsWith(this.#end, reader.position) ? read : undefined;
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      return undefined; // the parser reports the error with its path
    }
  }
}

class TextPart implements VariablePart {
  /** the text before the string, with its quote */
  readonly #before: string;

  constructor(before: string) {
    this.#before = before;
  }

  read(reader: JsonReader): Value | undefined {
    const before = this.#before;
    if (!reader.text.startsWith(before, reader.position)) return undefined;
    reader.position += before.length - 1;
    return str(reader.readString());
  }
}

class NumberPart implements VariablePart {
  readonly #before: string;
  readonly #type: PrimitiveType;

  constructor(before: string, type: PrimitiveType) {
    this.#before = before;
    this.#type = type;
  }

  read(reader: JsonReader): Value | undefined {
    const before = this.#before;
    if (!reader.text.startsWith(before, reader.position)) return undefined;
    reader.position += before.length;
    return isNumberStart(reader.text.charCodeAt(reader.position))
      ? primitiveFromNumber(reader.readNumber(), this.#type)
      : undefined;
  }
}

/** An object, list, set, map or tuple. */
class CompoundPart implements VariablePart {
  /** all values, of which those of variable parts are replaced */
  readonly #values: readonly Value[];
  /** in the order of the text */
  readonly #parts: readonly VariablePart[] = [];
  /** the index of the value of each part */
  readonly #indexes: readonly number[] = [];
  readonly #build: (values: Value[]) => Value;

  constructor(
    values: readonly Value[],
    parts: readonly VariablePart[],
    indexes: readonly number[],
    build: (values: Value[]) => Value,
  ) {
    this.#values = values;
    this.#parts = parts;
    this.#indexes = indexes;
    this.#build = build;
  }

  read(reader: JsonReader): Value | undefined {
    const values = this.#values.slice();
    const parts = this.#parts;
    for (let i = 0; i < parts.length; i++) {
      const value = (parts[i] as VariablePart).read(reader);
      if (value === undefined) return undefined;
      values[this.#indexes[i] as number] = value;
    }
    return this.#build(values);
  }
}

/** Returns the template of a text that was parsed without errors; undefined if there is none. */
function templateOf(text: string, type: Type): Template | undefined {
  const maker = new TemplateMaker(text);
  const part = maker.part(type);
  return part === undefined ? undefined : new Template(part, maker.before(maker.reader.position));
}

/** Divides a valid text into parts. Texts with duplicate names, whose last value applies, have none. */
class TemplateMaker {
  readonly reader: JsonReader;
  /** the end of the last string or number */
  #end = 0;

  constructor(text: string) {
    this.reader = new JsonReader(text);
  }

  /** Returns the fixed text between the last string or number and a position. */
  before(position: number): string {
    return detached(this.reader.text, this.#end, position);
  }

  part(type: Type): Part | undefined {
    const { reader } = this;
    const unit = reader.peek();
    if (unit === 0x6e) {
      reader.readLiteral('null');
      return { value: nullOf(type), variable: undefined };
    }
    switch (type.kind) {
      case 'list':
      case 'set':
        return this.#elements(
          () => type.element,
          (values) => sequence(type, values),
        );
      case 'tuple':
        return this.#elements((index) => elementType(type, index), tuple);
      case 'map':
        return this.#map(type);
      case 'object':
        return this.#object(type);
      case 'dynamic':
        return this.#dynamic();
      case 'capsule':
        return undefined;
      default:
        return this.#primitive(type, unit);
    }
  }

  #primitive(type: PrimitiveType, unit: number): Part | undefined {
    const { reader } = this;
    const start = reader.position;
    if (unit === 0x22) {
      if (type !== STRING) return undefined;
      const before = this.before(start + 1);
      const value = str(reader.readString());
      this.#end = reader.position;
      return { value, variable: new TextPart(before) };
    }
    const scalar = reader.readScalar();
    if (scalar === null) return { value: nullOf(type), variable: undefined };
    if (typeof scalar === 'boolean')
      return { value: primitiveFromBool(scalar, type), variable: undefined };
    const before = this.before(start);
    this.#end = reader.position;
    const value = primitiveFromNumber(scalar.number, type);
    return { value, variable: new NumberPart(before, type) };
  }

  #elements(
    typeOf: (index: number) => Type,
    build: (values: readonly Value[]) => Value,
  ): Part | undefined {
    const { reader } = this;
    const parts: Part[] = [];
    reader.open();
    while (reader.nextElement(parts.length === 0)) {
      const part = this.part(typeOf(parts.length));
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return compound(
      parts.map(({ value }) => value),
      parts,
      parts.map((_, index) => index),
      build,
    );
  }

  #map(type: CollectionType): Part | undefined {
    const keys: string[] = [];
    const parts = this.#members((key) => {
      if (keys.includes(key)) return undefined;
      keys.push(key);
      return type.element;
    });
    return (
      parts &&
      compound(
        parts.map(({ value }) => value),
        parts,
        parts.map((_, index) => index),
        (values) =>
          mapOfEntries(
            type,
            values.map((value, index) => [keys[index] as string, value]),
          ),
      )
    );
  }

  #object(type: ObjectType): Part | undefined {
    const indexes: number[] = [];
    const parts = this.#members((key) => {
      const index = attributeIndex(type, key);
      if (indexes.includes(index)) return undefined;
      indexes.push(index);
      return type.types[index];
    });
    if (parts === undefined) return undefined;
    const values = new Array<Value | undefined>(type.names.length);
    for (let i = 0; i < parts.length; i++) values[indexes[i] as number] = parts[i]?.value;
    const all = withNulls(type, values);
    // Dynamic attributes have the same type in all texts, too.
    const shape = objectOf(type, all).type as ObjectType;
    return compound(all, parts, indexes, (read) => objectOf(shape, read));
  }

  /** Reads the members of an object. `typeOf` returns their types, and undefined for a duplicate name. */
  #members(typeOf: (key: string) => Type | undefined): Part[] | undefined {
    const { reader } = this;
    const parts: Part[] = [];
    reader.open();
    for (let first = true; ; first = false) {
      const key = reader.nextKey(first);
      if (key === undefined) return parts;
      const type = typeOf(key);
      const part = type && this.part(type);
      if (part === undefined) return undefined;
      parts.push(part);
    }
  }

  /** Reads a value with its type, whose text is fixed. */
  #dynamic(): Part | undefined {
    const { reader } = this;
    let type: Type | undefined;
    let start = -1;
    reader.open();
    for (let first = true; ; first = false) {
      const key = reader.nextKey(first);
      if (key === undefined) break;
      reader.peek();
      const { position } = reader;
      reader.skipValue();
      if (key === 'value') {
        if (start !== -1) return undefined;
        start = position;
      } else {
        if (type !== undefined) return undefined;
        type = typeOfDynamic(parseJson(reader.text.slice(position, reader.position)));
      }
    }
    if (type === undefined || start === -1) return undefined;
    const end = reader.position;
    reader.position = start;
    const part = this.part(type);
    reader.position = end;
    return part;
  }
}

function elementType(type: TupleType, index: number): Type {
  return type.elements[index] as Type;
}

/** Returns the part of an object or sequence; `indexes` are those of the values of its parts. */
function compound(
  values: readonly Value[],
  parts: readonly Part[],
  indexes: readonly number[],
  build: (values: Value[]) => Value,
): Part {
  const value = build(values.slice());
  const variableParts: VariablePart[] = [];
  const variableIndexes: number[] = [];
  for (let i = 0; i < parts.length; i++) {
    const variable = parts[i]?.variable;
    if (variable === undefined) continue;
    variableParts.push(variable);
    variableIndexes.push(indexes[i] as number);
  }
  if (variableParts.length === 0) return { value, variable: undefined };
  return { value, variable: new CompoundPart(values, variableParts, variableIndexes, build) };
}

function isNumberStart(unit: number): boolean {
  return unit === 0x2d || (unit >= 0x30 && unit <= 0x39);
}
