import type { JsonBytes } from './json-bytes.ts';
import { memberOf } from './json-struct.ts';
import { OBJECT_SHAPE } from './statefile-shapes.ts';

/** Number of bits of a position within a template. */
export const TEMPLATE_BITS = 14;
/** Exclusive maximum of the length of a template. */
export const MAX_TEMPLATE_LENGTH: number = 1 << TEMPLATE_BITS;

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
  /** true if all bytes are known to be ASCII */
  isAscii = false;
  /** the position after the object */
  end = -1;

  /** Finds the members of the object at `at` and validates the syntax. */
  read(json: JsonBytes, at: number): this {
    this.indexKey = this.status = this.deposed = this.provider = this.schemaVersion = -1;
    this.attributes = this.attributesEnd = this.flat = -1;
    this.sensitive = this.sensitiveEnd = this.private = -1;
    this.dependencies = this.dependenciesEnd = this.createBeforeDestroy = -1;
    this.skipDestroy = this.identityVersion = this.identity = this.identityEnd = -1;
    this.irregular = this.isAscii = false;
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
      this.#setMember(json, key, value, i, isNull);
      i = json.space(i);
      if (bytes[i] === 0x7d) break;
      if (bytes[i] !== 0x2c) json.fail(i);
      i = json.space(i + 1);
    }
    this.end = i + 1;
    return this;
  }

  /** Returns these positions, except the end, changed by a function. */
  moved(move: (position: number) => number): ObjectFields {
    const fields = new ObjectFields();
    const at = (position: number): number => (position === -1 ? -1 : move(position));
    fields.indexKey = at(this.indexKey);
    fields.status = at(this.status);
    fields.deposed = at(this.deposed);
    fields.provider = at(this.provider);
    fields.schemaVersion = at(this.schemaVersion);
    fields.attributes = at(this.attributes);
    fields.attributesEnd = at(this.attributesEnd);
    fields.flat = at(this.flat);
    fields.sensitive = at(this.sensitive);
    fields.sensitiveEnd = at(this.sensitiveEnd);
    fields.private = at(this.private);
    fields.dependencies = at(this.dependencies);
    fields.dependenciesEnd = at(this.dependenciesEnd);
    fields.createBeforeDestroy = at(this.createBeforeDestroy);
    fields.skipDestroy = at(this.skipDestroy);
    fields.identityVersion = at(this.identityVersion);
    fields.identity = at(this.identity);
    fields.identityEnd = at(this.identityEnd);
    return fields;
  }

  /** Sets the positions, except the end, to those of a template: see `ObjectTemplate`. */
  setShifted(from: Readonly<ObjectFields>, shifts: readonly number[]): void {
    this.indexKey = shifted(from.indexKey, shifts);
    this.status = shifted(from.status, shifts);
    this.deposed = shifted(from.deposed, shifts);
    this.provider = shifted(from.provider, shifts);
    this.schemaVersion = shifted(from.schemaVersion, shifts);
    this.attributes = shifted(from.attributes, shifts);
    this.attributesEnd = shifted(from.attributesEnd, shifts);
    this.flat = shifted(from.flat, shifts);
    this.sensitive = shifted(from.sensitive, shifts);
    this.sensitiveEnd = shifted(from.sensitiveEnd, shifts);
    this.private = shifted(from.private, shifts);
    this.dependencies = shifted(from.dependencies, shifts);
    this.dependenciesEnd = shifted(from.dependenciesEnd, shifts);
    this.createBeforeDestroy = shifted(from.createBeforeDestroy, shifts);
    this.skipDestroy = shifted(from.skipDestroy, shifts);
    this.identityVersion = shifted(from.identityVersion, shifts);
    this.identity = shifted(from.identity, shifts);
    this.identityEnd = shifted(from.identityEnd, shifts);
    this.irregular = false;
  }

  #setMember(json: JsonBytes, key: number, value: number, end: number, isNull: boolean): void {
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

function shifted(position: number, shifts: readonly number[]): number {
  if (position === -1) return -1;
  return (position & (MAX_TEMPLATE_LENGTH - 1)) + (shifts[position >> TEMPLATE_BITS] as number);
}
