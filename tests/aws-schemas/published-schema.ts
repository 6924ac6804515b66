import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

// The package holds one class a block, generated from the schema of the published provider. The TypeScript
// that it was compiled from stands in its source maps, and tells more than the JavaScript: what is required,
// optional and computed is in comments, what is a block and how it nests in the functions that write HCL.

/** One argument or nested block of a published resource, data source or provider. */
export interface PublishedPart {
  readonly name: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly shape: PublishedShape;
}

/** The content of a part: a value of a type, or objects with parts. */
export type PublishedShape = { readonly kind: 'value'; readonly type: string } | PublishedObjects;

/** A nested block, or an argument that holds objects. */
export interface PublishedObjects {
  readonly kind: 'objects';
  /** single objects look the same whether they are blocks or arguments */
  readonly form: 'block' | 'attribute' | 'either';
  readonly nesting: 'single' | 'list' | 'set' | 'map';
  /** 1 where no more than one is allowed; other limits are not to be seen */
  readonly maxItems?: 1;
  readonly parts: readonly PublishedPart[];
}

/** The name of a type that the package does not declare. */
export const UNSEEN = 'unseen';

/**
 * The schema of what the package has in one of its folders: `sqs-queue`, `data-aws-ami`, `provider`.
 *
 * @throws Error where the folder is not as this knows it
 */
export function publishedSchema(library: string, folder: string): readonly PublishedPart[] {
  const source = readSource(join(library, folder));
  const top = /^export class (\w+) extends cdktf\.Terraform(?:Resource|DataSource|Provider) /m;
  const name = top.exec(source)?.[1];
  if (name === undefined) throw new Error(`${folder}: there is no resource in it`);
  const body = bodyOf(source, `export class ${name} `) ?? '';
  const entries = entriesOf(body.slice(body.indexOf('synthesizeHcl')));
  const parts = partsOf({ source, folder }, body, entries);
  // In the language, configurations of providers have another name by themselves.
  return folder === 'provider' ? parts.filter((part) => part.name !== 'alias') : parts;
}

/** The names of the folders that the package has. */
export function publishedFolders(library: string): readonly string[] {
  return readdirSync(library).filter((name) => !name.includes('.'));
}

interface Reading {
  readonly source: string;
  /** for errors */
  readonly folder: string;
}

function readSource(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.js')).map((file) => join(folder, file));
  return sources.map((file) => sourceInMap(readFileSync(file, 'utf8'))).join('\n');
}

function sourceInMap(compiled: string): string {
  const mark = 'sourceMappingURL=data:application/json;base64,';
  const at = compiled.lastIndexOf(mark);
  if (at < 0) throw new Error('a file of the package has no source map');
  const text = Buffer.from(compiled.slice(at + mark.length), 'base64').toString('utf8');
  const map: { readonly sourcesContent?: readonly string[] } = JSON.parse(text);
  const source = map.sourcesContent?.[0];
  if (source === undefined) throw new Error('a source map of the package has no source');
  return source;
}

/** From where something begins to the brace that ends it at the start of a line. */
function bodyOf(source: string, beginning: string): string | undefined {
  const from = source.indexOf(beginning);
  if (from < 0) return undefined;
  return source.slice(from, source.indexOf('\n}', from));
}

/** The syntax of a part in HCL. */
interface HclEntry {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly isBlock: boolean;
}

const ENTRY =
  /^ +(\w+): \{\n +value: (.*),\n +isBlock: (true|false),\n +type: "(\w+)",\n +storageClassType: "\w+",\n/gm;

function entriesOf(text: string): ReadonlyMap<string, HclEntry> {
  const entries = [...text.matchAll(ENTRY)].map(([, name = '', value = '', block, type = '']) => ({
    name,
    // Objects that have to be written as a whole get null for what is left out.
    value: value.replace(/^\S+ === undefined \? null : /, ''),
    type,
    isBlock: block === 'true',
  }));
  return new Map(entries.map((entry) => [entry.name, entry]));
}

const PART =
  /^ {2}\/\/ (\w+) - computed: (true|false), optional: (true|false), required: (true|false)\n/gm;

function partsOf(
  reading: Reading,
  body: string,
  entries: ReadonlyMap<string, HclEntry>,
): readonly PublishedPart[] {
  const matches = [...body.matchAll(PART)];
  return matches.map((match, i) => {
    const [comment, name = '', computed, optional, required] = match;
    const end = matches[i + 1]?.index ?? body.length;
    const text = body.slice(match.index + comment.length, end);
    const entry = entries.get(name);
    const shape = entry === undefined ? shapeOfGetter(reading, text) : shapeOfEntry(reading, entry);
    return {
      name,
      computed: computed === 'true',
      optional: optional === 'true',
      required: required === 'true',
      shape,
    };
  });
}

const MANY = /^cdktf\.listMapperHcl\((?!cdktf\.)(\w+)ToHclTerraform, (true|false)\)/;
const NAMED = /^cdktf\.hashMapperHcl\((?!cdktf\.)(\w+)ToHclTerraform\)/;
const ONE = /^(?!cdktf\.)(\w+)ToHclTerraform\(/;

function shapeOfEntry(reading: Reading, { value, type, isBlock }: HclEntry): PublishedShape {
  if (!isBlock) return { kind: 'value', type: typeOfMapper(value, type) };
  const many = MANY.exec(value);
  if (many !== null) {
    const form = many[2] === 'true' ? 'block' : 'attribute';
    return { kind: 'objects', form, nesting: sequence(reading, type), ...inside(reading, many[1]) };
  }
  const named = NAMED.exec(value);
  if (named !== null) {
    return { kind: 'objects', form: 'attribute', nesting: 'map', ...inside(reading, named[1]) };
  }
  const singleMatch = ONE.exec(value);
  if (singleMatch === null) throw new Error(`${reading.folder}: ${value} is not understood`);
  const parts = inside(reading, singleMatch[1]);
  if (type === 'struct') return { kind: 'objects', form: 'either', nesting: 'single', ...parts };
  return {
    kind: 'objects',
    form: 'block',
    nesting: sequence(reading, type),
    maxItems: 1,
    ...parts,
  };
}

function sequence(reading: Reading, type: string): 'list' | 'set' {
  if (type === 'list' || type === 'set') return type;
  throw new Error(`${reading.folder}: a nesting of "${type}" is not understood`);
}

/** The type of a value, from how it is written in HCL; of what is inside lists, sets look as lists. */
function typeOfMapper(value: string, outer: string): string {
  const list = /^cdktf\.listMapperHcl\((.*)/.exec(value);
  if (list !== null) {
    return `${outer === 'set' ? 'set' : 'list'}(${typeOfMapper(list[1] ?? '', 'list')})`;
  }
  const map = /^cdktf\.hashMapperHcl\((.*)/.exec(value);
  if (map !== null) return `map(${typeOfMapper(map[1] ?? '', 'list')})`;
  const simple = /^cdktf\.(\w+)ToHclTerraform/.exec(value)?.[1];
  return simple === 'boolean' ? 'bool' : (simple ?? UNSEEN);
}

const GETTERS: readonly (readonly [RegExp, string])[] = [
  [/Fn\.tolist\(this\.getListAttribute\(/, 'set(string)'],
  [/Fn\.tolist\(this\.getNumberListAttribute\(/, 'set(number)'],
  [/this\.getListAttribute\(/, 'list(string)'],
  [/this\.getNumberListAttribute\(/, 'list(number)'],
  [/this\.getStringAttribute\(/, 'string'],
  [/this\.getNumberAttribute\(/, 'number'],
  [/this\.getBooleanAttribute\(/, 'bool'],
  [/new cdktf\.StringMap\(/, 'map(string)'],
  [/new cdktf\.NumberMap\(/, 'map(number)'],
  [/new cdktf\.BooleanMap\(/, 'map(bool)'],
];

/** Returns the shape of a read-only part, which has only a getter. */
function shapeOfGetter(reading: Reading, text: string): PublishedShape {
  const nested = /= new (?!cdktf\.)(\w+?)(List|Map|OutputReference)\(this, "\w+"(?:, (\w+))?/.exec(
    text,
  );
  if (nested === null) {
    const type = GETTERS.find(([getter]) => getter.test(text))?.[1] ?? UNSEEN;
    return { kind: 'value', type };
  }
  const [, name, container, wrapsSet] = nested;
  const sequenced = wrapsSet === 'true' ? 'set' : 'list';
  const nesting =
    container === 'List' ? sequenced : container === 'Map' ? ('map' as const) : 'single';
  return { kind: 'objects', form: 'attribute', nesting, ...inside(reading, name) };
}

/** The parts of a block, which has a class of its own or, in the configuration of the provider, only a type. */
function inside(
  reading: Reading,
  name: string | undefined,
): { readonly parts: readonly PublishedPart[] } {
  const typeName = name ?? '';
  const type = typeName.slice(0, 1).toUpperCase() + typeName.slice(1);
  const { source, folder } = reading;
  const writer = `export function ${type.slice(0, 1).toLowerCase()}${type.slice(1)}ToHclTerraform(`;
  const entries = entriesOf(bodyOf(source, writer) ?? '');
  const body = bodyOf(source, `export class ${type}OutputReference `);
  if (body !== undefined) return { parts: partsOf(reading, body, entries) };
  const written = bodyOf(source, `export interface ${type} `);
  if (written === undefined) throw new Error(`${folder}: there is no ${type}`);
  return { parts: [...entries.values()].map((entry) => partOfType(reading, written, entry)) };
}

function partOfType(reading: Reading, type: string, entry: HclEntry): PublishedPart {
  const property = /struct!?\.(\w+)/.exec(entry.value)?.[1] ?? '';
  const optional = type.includes(`  readonly ${property}?:`);
  if (!optional && !type.includes(`  readonly ${property}:`)) {
    throw new Error(`${reading.folder}: there is no ${property} in ${type.slice(0, 80)}`);
  }
  const shape = shapeOfEntry(reading, entry);
  return { name: entry.name, required: !optional, optional, computed: false, shape };
}
