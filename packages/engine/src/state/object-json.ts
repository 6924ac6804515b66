import { parseTarget, ProviderConfigAddr } from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import type { JsonBytes } from './json-bytes.ts';
import { jsonString, type JsonWriter, lineBreak } from './json-writer.ts';
import type { StoredObject } from './model.ts';
import { sensitivePathsFromJson, sensitivePathsToJson } from './sensitive-paths.ts';
import { ObjectFields } from './object-fields.ts';
import { ObjectTemplates } from './object-template.ts';

/** An object in the buffer of its state file; parsed on demand. */
export class ObjectSlice {
  readonly source: ObjectSource;
  /** the position of its JSON object */
  readonly from: number;

  constructor(source: ObjectSource, from: number) {
    this.source = source;
    this.from = from;
  }
}

/** The size in bytes of the JSON of the objects that a source keeps parsed. */
const MAX_PARSED_BYTES = 1024 * 1024;

/** A parsed object, with the provider configuration that it was parsed for. */
interface ParsedObject {
  readonly object: StoredObject;
  readonly provider: ProviderConfigAddr;
}

/** A buffer with objects, and their common properties. */
export class ObjectSource {
  readonly json: JsonBytes;
  /** positions of the members of the objects of a small buffer, until the object is parsed */
  readonly #fields = new Map<number, ObjectFields>();
  /** objects parsed last by position, and the size of their JSON: a run reads an object up to eleven times */
  readonly #parsed = new Map<number, ParsedObject>();
  #parsedBytes = 0;
  /** dependencies parsed last and their position: neighbours usually have the same ones */
  #from = 0;
  #to = 0;
  #last: readonly string[] = [];
  /** undefined for a small buffer */
  readonly #templates: ObjectTemplates | undefined;

  constructor(json: JsonBytes) {
    this.json = json;
    if (json.bytes.length > MAX_PARSED_BYTES) this.#templates = new ObjectTemplates();
  }

  /** The object at a position; parsed unless it is among those parsed last. */
  object(slice: ObjectSlice, provider: ProviderConfigAddr): StoredObject {
    const { from } = slice;
    const last = this.#parsed.get(from);
    if (last?.provider === provider) return last.object;
    const fields = this.#fields.get(from) ?? this.fieldsAt(from, FIELDS);
    const object = readObject(this, fields, provider);
    this.#fields.delete(from);
    const size = fields.end - from;
    if (size > MAX_PARSED_BYTES) return object;
    this.#parsedBytes += size;
    if (this.#parsedBytes > MAX_PARSED_BYTES) {
      this.#parsed.clear();
      this.#parsedBytes = size;
    }
    this.#parsed.set(from, { object, provider });
    return object;
  }

  /** Finds the members of the object at `from`, and keeps their positions for `object` if the buffer is small. */
  readFields(from: number): ObjectFields {
    if (this.#templates !== undefined) return this.fieldsAt(from, FIELDS);
    const fields = new ObjectFields().read(this.json, from);
    this.#fields.set(from, fields);
    return fields;
  }

  /** Finds the members of the object at `from` and validates its syntax. Returns `fields` with their positions. */
  fieldsAt(from: number, fields: ObjectFields): ObjectFields {
    const { json } = this;
    const templates = this.#templates;
    if (templates === undefined) return fields.read(json, from);
    if (templates.read(json, from, fields)) return fields;
    fields.read(json, from);
    templates.add(json, from, fields);
    return fields;
  }

  /** Dependencies written as the array at these positions; equal neighbours share one result. */
  dependencies(from: number, to: number): readonly string[] {
    if (from !== this.#from && !this.#sameAsLast(from, to)) {
      this.#last = readStrings(this.json, from).map(configText);
      this.#from = from;
      this.#to = to;
    }
    return this.#last;
  }

  #sameAsLast(from: number, to: number): boolean {
    const { bytes } = this.json;
    const n = to - from;
    if (n !== this.#to - this.#from) return false;
    for (let i = 0; i < n; i++) {
      if (bytes[from + i] !== bytes[this.#from + i]) return false;
    }
    return true;
  }
}

const FIELDS = new ObjectFields();

/** The sensitive paths of most objects. */
const NO_PATHS: StoredObject['sensitivePaths'] = [];
/** One list: the order of steps compares the lists of instances by identity. */
const NO_DEPENDENCIES: StoredObject['dependencies'] = [];

/** The object of a slice. */
export function readSlice(slice: ObjectSlice, provider: ProviderConfigAddr): StoredObject {
  const { source } = slice;
  return readObject(source, source.fieldsAt(slice.from, FIELDS), provider);
}

function readObject(
  source: ObjectSource,
  f: ObjectFields,
  provider: ProviderConfigAddr,
): StoredObject {
  const { json } = source;
  const flat = f.attributes === -1 && f.flat !== -1 ? readFlat(json, f.flat) : undefined;
  const object: Mutable<StoredObject> = {
    status: f.status !== -1 && json.stringAt(f.status) === 'tainted' ? 'tainted' : 'ready',
    schemaVersion: f.schemaVersion === -1 ? 0 : readNumber(json, f.schemaVersion),
    sensitivePaths: readPaths(json, f),
    dependencies:
      f.dependencies === -1
        ? NO_DEPENDENCIES
        : source.dependencies(f.dependencies, f.dependenciesEnd),
    createBeforeDestroy: isTrue(json, f.createBeforeDestroy),
    provider: provider.instance(providerKeyOf(json, f)),
  };
  if (isTrue(json, f.skipDestroy)) object.skipDestroy = true;
  if (flat !== undefined) object.attributesFlat = flat;
  else {
    object.attributesJson = f.attributes === -1 ? '{}' : attributesText(json, f);
  }
  if (f.private !== -1) {
    const bytes = bytesFromBase64(json.stringAt(f.private));
    if (bytes.length > 0) object.private = bytes;
  }
  if (f.identity !== -1) object.identityJson = json.text(f.identity, f.identityEnd);
  if (f.identityVersion !== -1 && f.identity !== -1) {
    object.identitySchemaVersion = readNumber(json, f.identityVersion);
  }
  return object;
}

function attributesText(json: JsonBytes, f: ObjectFields): string {
  const { attributes, attributesEnd } = f;
  return f.isAscii
    ? json.asciiText(attributes, attributesEnd)
    : json.text(attributes, attributesEnd);
}

/** Returns the key of an object's provider instance, if its configuration has instances. */
export function providerKeyOf(json: JsonBytes, fields: ObjectFields): string | undefined {
  if (fields.provider === -1) return undefined;
  return ProviderConfigAddr.parse(json.stringAt(fields.provider))?.key;
}

/** Returns true if a member is present and true. */
function isTrue(json: JsonBytes, at: number): boolean {
  return at !== -1 && json.bytes[at] === 0x74;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function readPaths(json: JsonBytes, f: ObjectFields): StoredObject['sensitivePaths'] {
  if (f.sensitive === -1 || json.bytes[json.space(f.sensitive + 1)] === 0x5d) return NO_PATHS;
  return sensitivePathsFromJson(json.text(f.sensitive, f.sensitiveEnd)).paths;
}

/** Returns the number at `at`. */
export function readNumber(json: JsonBytes, at: number): number {
  return json.digitsAt(at) ?? Number(json.text(at, json.value(at)));
}

/** The strings of the array at `at`. */
export function readStrings(json: JsonBytes, at: number): string[] {
  const strings: string[] = [];
  json.elements(at, (value) => {
    strings.push(json.bytes[value] === 0x22 ? json.stringAt(value) : '');
    return json.value(value);
  });
  return strings;
}

/** The strings of the object at `at`; later members win over earlier ones of the same name. */
function readFlat(json: JsonBytes, at: number): Record<string, string> {
  const entries: [string, string][] = [];
  json.members(at, (key, value) => {
    entries.push([json.stringAt(key), json.bytes[value] === 0x22 ? json.stringAt(value) : '']);
    return json.value(value);
  });
  return Object.fromEntries(entries);
}

const PLAIN_DEPENDENCY = /^(?:module\.[\w-]+\.)*(?:data\.)?[\w-]+\.[\w-]+$/;

/** A dependency without instance keys, which old versions wrote. */
function configText(text: string): string {
  if (PLAIN_DEPENDENCY.test(text)) return text;
  const { target } = parseTarget(text);
  if (target?.kind !== 'resource') return text; // rejected when the file was read
  return 'config' in target.resource ? target.resource.config.text : target.resource.text;
}

/** Bytes of standard base64, with or without line breaks. */
function bytesFromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Standard base64 with padding. */
export function base64FromBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Writes the members of an object, as in a state file, after those that identify it. */
export function writeObjectFields(out: JsonWriter, object: StoredObject, depth: number): void {
  out.text(`"schema_version": ${object.schemaVersion}`);
  if (object.attributesJson !== undefined) {
    member(out, 'attributes', depth);
    out.jsonText(object.attributesJson, depth);
  } else if (object.attributesFlat !== undefined) {
    writeFlat(out, object.attributesFlat, depth);
  }
  member(out, 'sensitive_attributes', depth);
  if (object.sensitivePaths.length === 0) out.text('[]');
  else out.jsonText(sensitivePathsToJson(object.sensitivePaths), depth);
  if (object.identityJson !== undefined) {
    member(out, 'identity_schema_version', depth);
    out.text(String(object.identitySchemaVersion ?? 0));
    member(out, 'identity', depth);
    out.jsonText(object.identityJson, depth);
  }
  if (object.private !== undefined && object.private.length > 0) {
    member(out, 'private', depth);
    out.text(`"${base64FromBytes(object.private)}"`);
  }
  if (object.dependencies.length > 0) {
    member(out, 'dependencies', depth);
    out.text('[');
    for (let i = 0; i < object.dependencies.length; i++) {
      if (i > 0) out.text(',');
      out.line(depth + 1);
      out.text(jsonString(object.dependencies[i] ?? ''));
    }
    out.line(depth);
    out.text(']');
  }
  if (object.createBeforeDestroy) {
    member(out, 'create_before_destroy', depth);
    out.text('true');
  }
  if (object.skipDestroy === true) {
    member(out, 'skip_destroy', depth);
    out.text('true');
  }
}

function writeFlat(out: JsonWriter, flat: Readonly<Record<string, string>>, depth: number): void {
  const names = Object.keys(flat).sort(compareText);
  if (names.length === 0) return;
  member(out, 'attributes_flat', depth);
  out.text('{');
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    if (i > 0) out.text(',');
    out.line(depth + 1);
    out.text(`${jsonString(name)}: ${jsonString(flat[name] ?? '')}`);
  }
  out.line(depth);
  out.text('}');
}

function member(out: JsonWriter, name: string, depth: number): void {
  if (depth !== memberDepth) {
    memberDepth = depth;
    memberTexts.clear();
  }
  let text = memberTexts.get(name);
  if (text === undefined) {
    text = `,${lineBreak(depth)}"${name}": `;
    memberTexts.set(name, text);
  }
  out.text(text);
}

/** The texts in front of the values of members at the depth written last, by name. All objects of a file have the same. */
const memberTexts = new Map<string, string>();
let memberDepth = -1;

/** Variant of `writeObjectFields` that copies unchanged parts of the source without parsing them. */
export function writeSliceFields(
  out: JsonWriter,
  slice: ObjectSlice,
  fields: ObjectFields,
  provider: ProviderConfigAddr,
  depth: number,
): void {
  const { json } = slice.source;
  const f = fields;
  if (f.flat !== -1 || !isPlain(slice.source, f)) {
    writeObjectFields(out, readSlice(slice, provider), depth);
    return;
  }
  out.text(`"schema_version": ${f.schemaVersion === -1 ? 0 : readNumber(json, f.schemaVersion)}`);
  member(out, 'attributes', depth);
  if (f.attributes === -1) out.text('{}');
  else out.json(json.bytes, f.attributes, f.attributesEnd, depth);
  member(out, 'sensitive_attributes', depth);
  const paths = readPaths(json, f); // their members may have other names than the proper ones
  if (paths.length === 0) out.text('[]');
  else out.jsonText(sensitivePathsToJson(paths), depth);
  if (f.private !== -1) {
    const text = json.stringAt(f.private);
    if (text !== '') {
      member(out, 'private', depth);
      out.text(jsonString(text));
    }
  }
  if (f.dependencies !== -1 && json.bytes[json.space(f.dependencies + 1)] !== 0x5d) {
    member(out, 'dependencies', depth);
    out.json(json.bytes, f.dependencies, f.dependenciesEnd, depth);
  }
  if (isTrue(json, f.createBeforeDestroy)) {
    member(out, 'create_before_destroy', depth);
    out.text('true');
  }
  if (isTrue(json, f.skipDestroy)) {
    member(out, 'skip_destroy', depth);
    out.text('true');
  }
}

/** Returns true if the source bytes can be copied, because parsing and writing them would not change them. */
function isPlain(source: ObjectSource, f: ObjectFields): boolean {
  const { bytes } = source.json;
  if (f.identity !== -1) return false;
  if (f.dependencies === -1) return true;
  // Keys in dependencies are dropped.
  for (let i = f.dependencies + 1; i < f.dependenciesEnd; i++) {
    if (bytes[i] === 0x5b || bytes[i] === 0x5c) return false;
  }
  return true;
}
