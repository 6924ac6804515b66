import { Bug, NULL, numToFloat, objectOf, str } from '@terrane/cty';
import type { ObjectType, Value } from '@terrane/cty';

/**
 * The arguments of an object by name, for handlers. The typed readers give undefined for what is null
 * or unknown.
 */
export class Fields {
  readonly type: ObjectType;
  readonly #values: readonly Value[];

  /** @param value a known object that conforms to `type` */
  constructor(type: ObjectType, value: Value) {
    this.type = type;
    this.#values = value.elements();
  }

  /** The argument's value, whatever it is. */
  value(name: string): Value {
    return this.#values[this.#index(name)] ?? NULL;
  }

  string(name: string): string | undefined {
    return this.#known(name)?.asString();
  }

  bool(name: string): boolean | undefined {
    return this.#known(name)?.asBool();
  }

  /** A number as a double: exact up to 2^53. */
  integer(name: string): number | undefined {
    const v = this.#known(name);
    return v && numToFloat(v.asNum());
  }

  /** The elements of a list, set or map of strings, but for null and unknown ones. */
  strings(name: string): readonly string[] {
    const elements = this.#known(name)?.elements() ?? [];
    return elements.filter((v) => v.isKnown && !v.isNull).map((v) => v.asString());
  }

  /** The object with some arguments replaced; texts stand for strings. */
  with(changes: Readonly<Record<string, Value | string>>): Value {
    const values = this.#values.slice();
    for (const [name, value] of Object.entries(changes)) {
      values[this.#index(name)] = typeof value === 'string' ? str(value) : value;
    }
    return objectOf(this.type, values);
  }

  #known(name: string): Value | undefined {
    const v = this.value(name);
    return v.isKnown && !v.isNull ? v : undefined;
  }

  #index(name: string): number {
    const index = this.type.indexOf(name);
    if (index === undefined) throw new Bug(`there is no argument ${name}`);
    return index;
  }
}
