import { attrStep, indexStep, NULL, objectOf } from '@terrane/cty';
import type { ObjectType, Path, PathStep, Type, Value } from '@terrane/cty';
import { parseDuration } from '@terrane/host';
import { isRecord, mismatch, readWith, writeWith } from './codec.ts';
import { compile } from './compile.ts';
import type { Compiled } from './compile.ts';
import type { ErasedObject } from './erased.ts';
import { ownPart, refuseExcess, within } from './object-codec.ts';
import type { Field } from './object-codec.ts';
import { ConversionError } from './provider-error.ts';
import { structCodec } from './struct-codec.ts';

/** A definition, prepared once for all its objects: schema, behaviour and conversions. */
export interface Part<E extends ErasedObject = ErasedObject> extends Compiled {
  readonly options: E;
  readonly type: ObjectType;
  readonly fields: readonly Field[];
  /** names of required arguments for storing an object, for responses that lack them */
  readonly needed: ReadonlySet<string>;
  /** the `timeouts` argument or block, with its defaults */
  readonly timeouts: { readonly index: number; readonly defaults: Timeouts } | undefined;
}

type Timeouts = Readonly<Record<string, string>>;

/** Definitions do not change, and each configuration of a provider uses the same ones. */
const parts = new WeakMap<ErasedObject, Part>();

/** Returns the compiled definition, which is created on first access. */
export function partOf<E extends ErasedObject>(options: E): Part<E> {
  const prepared = parts.get(options) ?? prepare(options);
  parts.set(options, prepared);
  // It was prepared from these options.
  return prepared as Part<E>;
}

function prepare(options: ErasedObject): Part {
  const { attributes = {}, blocks = {} } = options;
  const { version, description, descriptionKind, deprecationMessage } = options;
  const compiled = compile({
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    ...(descriptionKind !== undefined && { descriptionKind }),
    ...(deprecationMessage !== undefined && { deprecationMessage }),
    attributes: definitions(attributes),
    blocks: definitions(blocks),
  });
  const { fields } = structCodec(attributes, blocks);
  const { type } = compiled.object.layout;
  const needed = Object.entries(attributes)
    .filter(([, { definition: d }]) => d.required === true || d.computed === true)
    .filter(([, { definition: d, nullable }]) => d.writeOnly !== true && nullable !== true)
    .map(([name]) => name);
  return {
    ...compiled,
    options,
    type,
    fields,
    needed: new Set(needed),
    timeouts: timeoutsOf({ ...attributes, ...blocks }, type),
  };
}

function definitions<T>(
  parts: Readonly<Record<string, { readonly definition: T }>>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.definition]));
}

function timeoutsOf(
  parts: Readonly<Record<string, { readonly timeouts?: Timeouts }>>,
  type: ObjectType,
): Part['timeouts'] {
  for (const [name, { timeouts }] of Object.entries(parts)) {
    const index = type.indexOf(name);
    if (timeouts !== undefined && index !== undefined) return { index, defaults: timeouts };
  }
  return undefined;
}

const TWENTY_MINUTES = 20 * 60_000;

/** Returns the time-out of an operation on an object in milliseconds. */
export function timeoutOf(part: Part, operation: string, v: Value): number {
  const { timeouts } = part;
  if (timeouts === undefined) return TWENTY_MINUTES;
  const timeoutsValue = v.isNull || !v.isKnown ? NULL : (v.elements()[timeouts.index] ?? NULL);
  const written =
    timeoutsValue.isNull || !timeoutsValue.isKnown ? undefined : timeoutsValue.get(operation);
  const configured =
    written === undefined || written.isNull || !written.isKnown ? undefined : written;
  const text = configured?.asString() ?? timeouts.defaults[operation];
  return (text === undefined ? undefined : parseDuration(text)) ?? TWENTY_MINUTES;
}

/** An object as handlers see it: its arguments and blocks by name. */
export function readObject(part: Pick<Part, 'fields'>, v: Value): Record<string, unknown> {
  const values = v.elements();
  const out: Record<string, unknown> = {};
  for (let i = 0; i < part.fields.length; i++) {
    const field = part.fields[i];
    if (field === undefined) continue;
    const value = values[i] ?? NULL;
    // Most values are null or text, which needs no help from a codec.
    out[field.name] = value.isNull ? null : readField(field, value);
  }
  return out;
}

function readField(field: Field, v: Value): unknown {
  return within(field, () => readWith(field.codec, v));
}

/**
 * Converts the result of a handler to an object. Values equal to those in `base` are taken from there, with all their
 * digits. With `lenient`, nullable attributes may be omitted; otherwise only time-outs are taken from `base`.
 *
 * @throws ConversionError if the result does not conform to the schema
 */
export function writeObject(part: Part, x: unknown, base: Value | undefined): Value {
  if (!isRecord(x)) return mismatch('an object', x);
  refuseExcess(part.type, x);
  const known = base === undefined || base.isNull || !base.isKnown ? undefined : base.elements();
  const values = part.fields.map((field, i) =>
    within(field, () => writeField(part, field, x, known?.[i])),
  );
  return objectOf(part.type, values);
}

function writeField(
  part: Part,
  { name, codec }: Field,
  x: Readonly<Record<string, unknown>>,
  base: Value | undefined,
): Value {
  const input = ownPart(x, name);
  if (input === undefined) {
    if (part.timeouts?.index === part.type.indexOf(name) && base !== undefined) return base;
    if (part.needed.has(name)) throw new ConversionError('no value was given for it');
    return writeWith(codec, null);
  }
  // An unchanged number keeps its original digits.
  if (typeof input === 'number' && base?.isKnown === true && !base.isNull) {
    if (readWith(codec, base) === input) return base;
  }
  if (input === null && base?.isNull === true) return base;
  return writeWith(codec, input);
}

/** The object with some of its arguments and blocks replaced. */
export function changeObject(part: Part, v: Value, changes: unknown): Value {
  if (!isRecord(changes)) return mismatch('an object', changes);
  refuseExcess(part.type, changes);
  const values = v.elements().slice();
  for (const [i, field] of part.fields.entries()) {
    const input = ownPart(changes, field.name);
    if (input !== undefined) values[i] = within(field, () => writeWith(field.codec, input));
  }
  return objectOf(part.type, values);
}

/** Converts a path of a handler to a path in an object of a type. */
export function placeIn(type: Type, at: string | readonly (string | number)[]): Path {
  const path: PathStep[] = [];
  let inside: Type = type;
  for (const step of typeof at === 'string' ? [at] : at) {
    if (inside.kind === 'object' && typeof step === 'string') {
      path.push(attrStep(step));
      inside = inside.types[inside.indexOf(step) ?? -1] ?? inside;
    } else {
      path.push(indexStep(step));
      inside = 'element' in inside ? inside.element : inside;
    }
  }
  return path;
}
