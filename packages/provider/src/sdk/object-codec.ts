import { attrStep, NULL, nullOf, objectOf, objectType, quoteText } from '@terrane/cty';
import type { ObjectType, Path, Value } from '@terrane/cty';
import { isRecord, keepOne, mismatch, nullIn, readWith, remember, writeWith } from './codec.ts';
import type { Codec, Keep } from './codec.ts';
import { ConversionError } from './provider-error.ts';

/** Objects all of whose parts are required, as frozen records. */
export function objectCodec(parts: ReadonlyMap<string, Codec>): Codec {
  const types = [...parts].map(([name, codec]) => [name, codec.type] as const);
  const type = objectType(new Map(types));
  const fields = type.names.map((name) => ({ name, codec: partOf(parts, name) }));
  return {
    type,
    nullable: false,
    nullInside: fields.every(({ codec }) => codec.nullable && codec.nullInside === undefined)
      ? undefined
      : (v) => nullInParts(fields, v),
    read: (v) => remember(readParts(fields, v), v),
    write: (x) => {
      if (!isRecord(x)) return mismatch('an object', x);
      refuseExcess(type, x);
      const values = fields.map(({ name, codec }) => {
        const part = ownPart(x, name);
        return within({ name }, () => {
          if ((part === null || part === undefined) && !codec.nullable) {
            throw new ConversionError('must not be null');
          }
          return writeWith(codec, part);
        });
      });
      return objectOf(type, values);
    },
    keep: fields.some(({ codec }) => codec.keep) ? keepParts(type, fields) : undefined,
  };
}

/** A named part of an object. */
export interface Field {
  readonly name: string;
  readonly codec: Codec;
  /** its values must not be in messages */
  readonly isSensitive?: boolean;
}

function partOf(parts: ReadonlyMap<string, Codec>, name: string): Codec {
  const codec = parts.get(name);
  if (codec === undefined) throw new TypeError(`there is no part ${name}`);
  return codec;
}

function nullInParts(fields: readonly Field[], v: Value): Path | undefined {
  const values = v.elements();
  for (const [i, { name, codec }] of fields.entries()) {
    const nullPath = nullIn(codec, values[i] ?? NULL);
    if (nullPath !== undefined) return [attrStep(name), ...nullPath];
  }
  return undefined;
}

/** The parts of a known object by name. */
export function readParts(fields: readonly Field[], v: Value): Record<string, unknown> {
  const values = v.elements();
  const out: Record<string, unknown> = {};
  for (const [i, field] of fields.entries()) {
    out[field.name] = within(field, () => readWith(field.codec, values[i] ?? NULL));
  }
  return out;
}

/** Runs a conversion of a member; errors are reported with the member's path, without the value of a sensitive one. */
export function within<T>({ name, isSensitive }: Omit<Field, 'codec'>, run: () => T): T {
  try {
    return run();
  } catch (problem) {
    if (isSensitive === true && problem instanceof ConversionError) problem.hideValue();
    return ConversionError.under(attrStep(name), problem);
  }
}

/** Returns an own property of an object. */
export function ownPart(x: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(x, name) ? x[name] : undefined;
}

/** Rejects parts that the type does not have. */
export function refuseExcess(type: ObjectType, x: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(x)) {
    if (type.indexOf(name) !== undefined) continue;
    throw new ConversionError(`there is no attribute ${quoteText(name)} in the schema`);
  }
}

function keepParts(type: ObjectType, fields: readonly Field[]): Keep {
  return (before, after) => {
    const priorElements = before.elements();
    let changed = false;
    const values = after.elements().map((value, i) => {
      const keep = fields[i]?.codec.keep;
      const next =
        keep === undefined ? value : keepOne(keep, priorElements[i] ?? nullOf(value.type), value);
      changed ||= next !== value;
      return next;
    });
    return changed ? objectOf(type, values) : after;
  };
}
