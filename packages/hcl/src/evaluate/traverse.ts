import {
  convert,
  friendlyName,
  hasIndex,
  index,
  isPrimitive,
  lengthOf,
  normalizeText,
  NUMBER,
  num,
  type Num,
  numToInt,
  type ObjectType,
  quoteText,
  STRING,
  type Type,
  UNKNOWN,
  unknownOf,
  type Value,
} from '@terrane/cty';
import type { Diagnostic, Expression, Scope, TraversalStep } from '../model.ts';
import type { Range } from '../source/source.ts';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import { faultMessage } from './fault.ts';
import { frozenScope } from './scope.ts';

/**
 * Applies the steps from an index on to a value. Unknown values return unknown results of the correct type, marks are
 * inherited; errors are reported as in HCL and return an unknown value. Diagnostics contain the expression and scope.
 */
export function traverseRelative(
  value: Value,
  steps: readonly TraversalStep[],
  diagnostics: Diagnostic[],
  from: number,
  expression?: Expression,
  scope?: Scope,
): Value {
  let current = value;
  for (let i = from; i < steps.length; i++) {
    const step = steps[i];
    if (step === undefined || step.kind === 'root' || step.kind === 'splat') {
      continue;
    }
    const result =
      step.kind === 'attr' ? attribute(current, step.name) : element(current, step.key);
    if (isFault(result)) {
      report(diagnostics, result, step.range, expression, scope);
      return UNKNOWN;
    }
    current = result;
  }
  return current;
}

/** Returns the element of a collection by key, as `collection[key]`; diagnostics refer to the given range. */
export function indexWithKey(
  collection: Value,
  key: Value,
  range: Range,
  diagnostics: Diagnostic[],
  expression: Expression,
  scope: Scope | undefined,
): Value {
  const result = element(collection, key);
  if (isFault(result)) {
    report(diagnostics, result, range, expression, scope);
    return UNKNOWN;
  }
  return result;
}

interface Fault {
  readonly summary: string;
  readonly detail: string;
}

function isFault(result: Value | Fault): result is Fault {
  return 'summary' in result;
}

function report(
  diagnostics: Diagnostic[],
  fault: Fault,
  range: Range,
  expression: Expression | undefined,
  scope: Scope | undefined,
): void {
  const fixedScope = frozenScope(scope);
  diagnostics.push(
    errorDiagnostic(fault.summary, fault.detail, range, {
      ...(expression === undefined ? {} : { expression }),
      ...(fixedScope === undefined ? {} : { scope: fixedScope }),
    }),
  );
}

// ----- attributes

function unsupportedAttribute(detail: string): Fault {
  return { summary: 'Unsupported attribute', detail };
}

function attribute(value: Value, name: string): Value | Fault {
  const { type } = value;
  if (value.isNull) {
    return {
      summary: 'Attempt to get attribute from null value',
      detail: 'This value is null, so it does not have any attributes.',
    };
  }
  switch (type.kind) {
    case 'object': {
      const known = value.get(name);
      if (known !== undefined) return known;
      return hasAttribute(type, name)
        ? value.attr(name)
        : unsupportedAttribute(`This object does not have an attribute named ${quoteText(name)}.`);
    }
    case 'map':
      return mapElement(value, type.element, name);
    case 'dynamic':
      return UNKNOWN.withMarks(value.marks);
    case 'list':
      if (type.element.kind === 'object') {
        return unsupportedAttribute(listAttributeDetail(type.element, name));
      }
      break;
    case 'set':
      if (type.element.kind === 'object') {
        return unsupportedAttribute(
          "Can't access attributes on a set of objects. Did you mean to access an attribute across all elements of the set?",
        );
      }
      break;
    default:
      if (isPrimitive(type)) {
        return unsupportedAttribute(
          `Can't access attributes on a primitive-typed value (${friendlyName(type)}).`,
        );
      }
  }
  return unsupportedAttribute('This value does not have any attributes.');
}

function hasAttribute(type: ObjectType, name: string): boolean {
  return type.indexOf(name) !== undefined || type.indexOf(normalizeText(name)) !== undefined;
}

function mapElement(value: Value, elementType: Type, name: string): Value | Fault {
  if (!value.isKnown) {
    return unknownOf(elementType).withMarks(value.marks);
  }
  const element = value.unmark().get(normalizeText(name));
  if (element === undefined) {
    return {
      summary: 'Missing map element',
      detail: `This map does not have an element with the key ${quoteText(name)}.`,
    };
  }
  return element.withMarks(value.marks);
}

function listAttributeDetail(element: ObjectType, name: string): string {
  const missingPart = hasAttribute(element, name) ? `attribute ${quoteText(name)}` : 'an attribute';
  return `Can't access attributes on a list of objects. Did you mean to access ${missingPart} for a specific element of the list, or across all elements of the list?`;
}

// ----- elements

const NO_ELEMENT = 'The given key does not identify an element in this collection value';

function invalidIndex(detail: string): Fault {
  return { summary: 'Invalid index', detail };
}

function element(collection: Value, key: Value): Value | Fault {
  if (collection.isNull) {
    return {
      summary: 'Attempt to index null value',
      detail: 'This value is null, so it does not have any indices.',
    };
  }
  if (key.isNull) {
    return invalidIndex("Can't use a null value as an indexing key.");
  }
  const { type } = collection;
  if (key.type.kind === 'dynamic' || type.kind === 'dynamic') {
    return UNKNOWN.withMarks(collection.marks);
  }
  switch (type.kind) {
    case 'list':
    case 'tuple':
      return keyedElement(collection, key, NUMBER);
    case 'map':
      return keyedElement(collection, key, STRING);
    case 'object':
      return objectElement(collection, type, key);
    case 'set':
      return invalidIndex(
        "Elements of a set are identified only by their value and don't have any separate index or key to select with, so it's only possible to perform operations across all elements of the set.",
      );
    default:
      return invalidIndex('This value does not have any indices.');
  }
}

function converted(key: Value, type: Type): Value | Fault {
  if (key.type === type) {
    return key;
  }
  try {
    return convert(key, type);
  } catch (error) {
    return invalidIndex(`${NO_ELEMENT}: ${faultMessage(error)}.`);
  }
}

function keyedElement(collection: Value, keyValue: Value, keyType: Type): Value | Fault {
  const key = converted(keyValue, keyType);
  if (isFault(key)) {
    return key;
  }
  // The existence of the element may be disclosed even if the collection or key is marked.
  const has = hasIndex(collection, key).unmark();
  if (!has.isKnown) {
    const { type } = collection;
    const result = type.kind === 'list' || type.kind === 'map' ? unknownOf(type.element) : UNKNOWN;
    return result.withMarks(collection.marks);
  }
  if (!has.asBool()) {
    return invalidIndex(missingElementDetail(collection, key.unmark()));
  }
  return index(collection, key);
}

/** Never shows the key, which may be marked. */
function missingElementDetail(collection: Value, key: Value): string {
  if (key.type !== NUMBER || !key.isKnown || key.isNull) {
    return `${NO_ELEMENT}.`;
  }
  const position: Num = key.asNum();
  const integer = numToInt(position);
  if (integer === undefined) {
    return `${NO_ELEMENT}: indexing a sequence requires a whole number, but the given index has a fractional part.`;
  }
  if (integer < 0n) {
    return `${NO_ELEMENT}: a negative number is not a valid index for a sequence.`;
  }
  if (!collection.isMarked) {
    const length = lengthOf(collection);
    // Indices far beyond the end cause the general message, as in HCL.
    if (length.isKnown && num.isInt(length.asNum()) && integer <= BigInt(length.asInt())) {
      return length.asInt() === 0
        ? `${NO_ELEMENT}: the collection has no elements.`
        : `${NO_ELEMENT}: the given index is greater than or equal to the length of the collection.`;
    }
  }
  return `${NO_ELEMENT}.`;
}

function objectElement(collection: Value, type: ObjectType, keyValue: Value): Value | Fault {
  const wasNumber = keyValue.type === NUMBER;
  const key = converted(keyValue, STRING);
  if (isFault(key)) {
    return key;
  }
  if (!key.isKnown) {
    return UNKNOWN.withMarks(collection.marks);
  }
  const name = key.unmark().asString();
  if (!hasAttribute(type, name)) {
    const hint = wasNumber
      ? ' An object only supports looking up attributes by name, not by numeric index.'
      : '';
    return invalidIndex(`${NO_ELEMENT}.${hint}`);
  }
  return collection.attr(name);
}
