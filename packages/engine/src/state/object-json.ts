import { parseTarget, ProviderConfigAddr } from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import type { JsonBytes } from './json-bytes.ts';
import { memberOf } from './json-struct.ts';
import { jsonString, type JsonWriter } from './json-writer.ts';
import type { StoredObject } from './model.ts';
import { sensitivePathsFromJson, sensitivePathsToJson } from './sensitive-paths.ts';
import { OBJECT_SHAPE } from './statefile-shapes.ts';

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

  constructor(json: JsonBytes) {
    this.json = json;
  }

  /** The object at a position; parsed unless it is among those parsed last. */
  object(slice: ObjectSlice, provider: ProviderConfigAddr): StoredObject {
    const { from } = slice;
    const last = this.#parsed.get(from);
    if (last?.provider === provider) return last.object;
    const fields = this.#fields.get(from) ?? FIELDS.read(this.json, from);
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
    if (this.json.bytes.length > MAX_PARSED_BYTES) return FIELDS.read(this.json, from);
    const fields = new ObjectFields().read(this.json, from);
    this.#fields.set(from, fields);
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

/** Positions of the members of an object in a statefile; -1: not there or null. */
export class ObjectFields {
  indexKey = -1;
  status = -1;
  deposed = -1;
  provider = -1;
  schemaVersion = -1;
  attributes = -1;
  attributesEnd = -1;
  flat = -1;
  sensitive = -1;
  sensitiveEnd = -1;
  private = -1;
  dependencies = -1;
  dependenciesEnd = -1;
  createBeforeDestroy = -1;
  skipDestroy = -1;
  identityVersion = -1;
  identity = -1;
  identityEnd = -1;
  /** true if a member is duplicate, or has a name in other case */
  irregular = false;
  /** the position after the object */
  end = -1;

  /** Finds the members of the object at `at` and validates the syntax. */
  read(json: JsonBytes, at: number): this {
    this.indexKey = this.status = this.deposed = this.provider = this.schemaVersion = -1;
    this.attributes = this.attributesEnd = this.flat = -1;
    this.sensitive = this.sensitiveEnd = this.private = -1;
    this.dependencies = this.dependenciesEnd = this.createBeforeDestroy = -1;
    this.skipDestroy = this.identityVersion = this.identity = this.identityEnd = -1;
    this.irregular = false;
    const { bytes } = json;
    let i = json.space(at + 1);
    if (bytes[i] === 0x7d) {
      this.end = i + 1;
      return this;
    }
    for (;;) {
      const key = i;
      const value = json.key(key);
      i = json.value(value);
      // `null` does not change a field, except for raw text.
      const isNull = bytes[value] === 0x6e;
      this.#set(json, key, value, i, isNull);
      i = json.space(i);
      if (bytes[i] === 0x7d) break;
      if (bytes[i] !== 0x2c) json.fail(i);
      i = json.space(i + 1);
    }
    this.end = i + 1;
    return this;
  }

  #set(json: JsonBytes, key: number, value: number, end: number, isNull: boolean): void {
    const present = isNull ? -1 : value;
    switch (json.bytes[key + 1]) {
      case 0x61: // a
        if (json.isString(key, 'attributes')) {
          this.attributes = this.#once(this.attributes, value);
          this.attributesEnd = end;
          return;
        }
        if (json.isString(key, 'attributes_flat')) {
          this.flat = this.#once(this.flat, present);
          return;
        }
        break;
      case 0x63: // c
        if (json.isString(key, 'create_before_destroy')) {
          this.createBeforeDestroy = this.#once(this.createBeforeDestroy, present);
          return;
        }
        break;
      case 0x64: // d
        if (json.isString(key, 'dependencies')) {
          this.dependencies = this.#once(this.dependencies, present);
          this.dependenciesEnd = end;
          return;
        }
        if (json.isString(key, 'deposed')) {
          this.deposed = this.#once(this.deposed, present);
          return;
        }
        break;
      case 0x69: // i
        if (json.isString(key, 'index_key')) {
          this.indexKey = this.#once(this.indexKey, present);
          return;
        }
        if (json.isString(key, 'identity_schema_version')) {
          this.identityVersion = this.#once(this.identityVersion, present);
          return;
        }
        if (json.isString(key, 'identity')) {
          this.identity = this.#once(this.identity, present);
          this.identityEnd = end;
          return;
        }
        break;
      case 0x70: // p
        if (json.isString(key, 'private')) {
          this.private = this.#once(this.private, present);
          return;
        }
        if (json.isString(key, 'provider')) {
          this.provider = this.#once(this.provider, present);
          return;
        }
        break;
      case 0x73: // s
        if (json.isString(key, 'schema_version')) {
          this.schemaVersion = this.#once(this.schemaVersion, present);
          return;
        }
        if (json.isString(key, 'sensitive_attributes')) {
          this.sensitive = this.#once(this.sensitive, present);
          this.sensitiveEnd = end;
          return;
        }
        if (json.isString(key, 'skip_destroy')) {
          this.skipDestroy = this.#once(this.skipDestroy, present);
          return;
        }
        if (json.isString(key, 'status')) {
          this.status = this.#once(this.status, present);
          return;
        }
        break;
      default:
    }
    if (memberOf(OBJECT_SHAPE, json.stringAt(key)) !== undefined) this.irregular = true;
  }

  #once(before: number, value: number): number {
    if (before !== -1) this.irregular = true;
    return value;
  }
}

const FIELDS = new ObjectFields();

/** The sensitive paths of most objects. */
const NO_PATHS: StoredObject['sensitivePaths'] = [];

/** The object of a slice. */
export function readSlice(slice: ObjectSlice, provider: ProviderConfigAddr): StoredObject {
  const { source } = slice;
  return readObject(source, FIELDS.read(source.json, slice.from), provider);
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
      f.dependencies === -1 ? [] : source.dependencies(f.dependencies, f.dependenciesEnd),
    createBeforeDestroy: isTrue(json, f.createBeforeDestroy),
    provider: provider.instance(providerKeyOf(json, f)),
  };
  if (isTrue(json, f.skipDestroy)) object.skipDestroy = true;
  if (flat !== undefined) object.attributesFlat = flat;
  else {
    object.attributesJson = f.attributes === -1 ? '{}' : json.text(f.attributes, f.attributesEnd);
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

function readNumber(json: JsonBytes, at: number): number {
  return Number(json.text(at, json.value(at)));
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
  out.ascii(`"schema_version": ${object.schemaVersion}`);
  if (object.attributesJson !== undefined) {
    member(out, 'attributes', depth);
    out.jsonText(object.attributesJson, depth);
  } else if (object.attributesFlat !== undefined) {
    writeFlat(out, object.attributesFlat, depth);
  }
  member(out, 'sensitive_attributes', depth);
  if (object.sensitivePaths.length === 0) out.ascii('[]');
  else out.jsonText(sensitivePathsToJson(object.sensitivePaths), depth);
  if (object.identityJson !== undefined) {
    member(out, 'identity_schema_version', depth);
    out.ascii(String(object.identitySchemaVersion ?? 0));
    member(out, 'identity', depth);
    out.jsonText(object.identityJson, depth);
  }
  if (object.private !== undefined && object.private.length > 0) {
    member(out, 'private', depth);
    out.text(`"${base64FromBytes(object.private)}"`);
  }
  if (object.dependencies.length > 0) {
    member(out, 'dependencies', depth);
    out.ascii('[');
    for (let i = 0; i < object.dependencies.length; i++) {
      if (i > 0) out.ascii(',');
      out.line(depth + 1);
      out.text(jsonString(object.dependencies[i] ?? ''));
    }
    out.line(depth);
    out.ascii(']');
  }
  if (object.createBeforeDestroy) {
    member(out, 'create_before_destroy', depth);
    out.ascii('true');
  }
  if (object.skipDestroy === true) {
    member(out, 'skip_destroy', depth);
    out.ascii('true');
  }
}

function writeFlat(out: JsonWriter, flat: Readonly<Record<string, string>>, depth: number): void {
  const names = Object.keys(flat).sort(compareText);
  if (names.length === 0) return;
  member(out, 'attributes_flat', depth);
  out.ascii('{');
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    if (i > 0) out.ascii(',');
    out.line(depth + 1);
    out.text(`${jsonString(name)}: ${jsonString(flat[name] ?? '')}`);
  }
  out.line(depth);
  out.ascii('}');
}

function member(out: JsonWriter, name: string, depth: number): void {
  out.ascii(',');
  out.line(depth);
  out.ascii(`"${name}": `);
}

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
  out.ascii(`"schema_version": ${f.schemaVersion === -1 ? 0 : readNumber(json, f.schemaVersion)}`);
  member(out, 'attributes', depth);
  if (f.attributes === -1) out.ascii('{}');
  else out.json(json.bytes, f.attributes, f.attributesEnd, depth);
  member(out, 'sensitive_attributes', depth);
  const paths = readPaths(json, f); // their members may have other names than the proper ones
  if (paths.length === 0) out.ascii('[]');
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
    out.ascii('true');
  }
  if (isTrue(json, f.skipDestroy)) {
    member(out, 'skip_destroy', depth);
    out.ascii('true');
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
