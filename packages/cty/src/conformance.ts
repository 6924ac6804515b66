import { CtyError } from './cty-error.ts';
import type { Path } from './path-step.ts';
import { attrStep, indexStep } from './path.ts';
import { quoteText } from './text.ts';
import { friendlyName } from './type-name.ts';
import { isCollection, NUMBER, type ObjectType, STRING, type Type } from './type.ts';
import { plainUnknown } from './value.ts';

/**
 * Returns true if a type conforms to a constraint without conversion: every part is equal, except that a dynamic part of
 * the constraint accepts any type. Optional attributes must be present.
 */
export function conforms(type: Type, want: Type): boolean {
  if (type === want || want.kind === 'dynamic') return true;
  if (type.kind !== want.kind) return false;
  switch (want.kind) {
    case 'list':
    case 'set':
    case 'map':
      return isCollection(type) && conforms(type.element, want.element);
    case 'tuple':
      return type.kind === 'tuple' && allConform(type.elements, want.elements);
    case 'object':
      return type.kind === 'object' && objectConformsOrDid(type, want);
    default:
      return false;
  }
}

/** Compares lists of types by index, without a function for each of the many objects of a run. */
function allConform(types: readonly Type[], wanted: readonly Type[]): boolean {
  if (types.length !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) {
    if (!conforms(types[i] as Type, wanted[i] as Type)) return false;
  }
  return true;
}

/** The object types of the last comparison that succeeded: most values of a run are of the type of the one before. */
let lastType: ObjectType | undefined;
let lastWant: ObjectType | undefined;

function objectConformsOrDid(type: ObjectType, want: ObjectType): boolean {
  if (type === lastType && want === lastWant) return true;
  if (!objectConforms(type, want)) return false;
  lastType = type;
  lastWant = want;
  return true;
}

function objectConforms(type: ObjectType, want: ObjectType): boolean {
  const { names } = want;
  if (type.names.length !== names.length) return false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    // Types of the same names mostly have them in the same order.
    const j = type.names[i] === name ? i : type.indexOf(name);
    if (j === undefined || !conforms(type.types[j] as Type, want.types[i] as Type)) return false;
  }
  return true;
}

/**
 * Returns all differences between a type and a constraint (see {@link conforms}), worded as in cty, each with its path.
 */
export function conformanceErrors(type: Type, want: Type): readonly CtyError[] {
  const errors: CtyError[] = [];
  if (!conforms(type, want)) collect(type, want, [], errors);
  return errors;
}

function collect(type: Type, want: Type, path: Path, errors: CtyError[]): void {
  if (type === want || want.kind === 'dynamic') return;
  if (type.kind === 'object' && want.kind === 'object') {
    for (const name of type.names) {
      if (want.indexOf(name) === undefined) {
        errors.push(new CtyError(`unsupported attribute ${quoteText(name)}`, path));
      }
    }
    for (const name of want.names) {
      if (type.indexOf(name) === undefined) {
        errors.push(new CtyError(`missing required attribute ${quoteText(name)}`, path));
      }
    }
    want.names.forEach((name, i) => {
      const j = type.indexOf(name);
      if (j === undefined) return;
      collect(type.types[j] as Type, want.types[i] as Type, [...path, attrStep(name)], errors);
    });
    return;
  }
  if (type.kind === 'tuple' && want.kind === 'tuple') {
    if (type.elements.length !== want.elements.length) {
      const message = `${want.elements.length} elements are required, but got ${type.elements.length}`;
      errors.push(new CtyError(message, path));
      return;
    }
    want.elements.forEach((element, i) =>
      collect(type.elements[i] as Type, element, [...path, indexStep(i)], errors),
    );
    return;
  }
  if (type.kind === want.kind && isCollection(type) && isCollection(want)) {
    const keyType = want.kind === 'list' ? NUMBER : want.kind === 'map' ? STRING : type.element;
    collect(type.element, want.element, [...path, indexStep(plainUnknown(keyType))], errors);
    return;
  }
  const message = `${friendlyName(want)} required, but received ${friendlyName(type)}`;
  errors.push(new CtyError(message, path));
}
