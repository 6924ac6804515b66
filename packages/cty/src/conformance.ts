import { CtyError } from './cty-error.ts';
import type { Path } from './path-step.ts';
import { attrStep, indexStep } from './path.ts';
import { quoteText } from './text.ts';
import { friendlyName } from './type-name.ts';
import { isCollection, NUMBER, STRING, type Type } from './type.ts';
import { plainUnknown } from './value.ts';

/**
 * Returns true if a type fits a constraint without any conversion: equal, but for dynamic in the constraint, which any type
 * fits. Optional attributes count as attributes.
 */
export function conforms(given: Type, want: Type): boolean {
  if (given === want || want.kind === 'dynamic') return true;
  if (given.kind !== want.kind) return false;
  switch (want.kind) {
    case 'list':
    case 'set':
    case 'map':
      return isCollection(given) && conforms(given.element, want.element);
    case 'tuple':
      return (
        given.kind === 'tuple' &&
        given.elements.length === want.elements.length &&
        want.elements.every((w, i) => conforms(given.elements[i] as Type, w))
      );
    case 'object':
      return (
        given.kind === 'object' &&
        given.names.length === want.names.length &&
        want.names.every((name, i) => {
          const j = given.indexOf(name);
          return j !== undefined && conforms(given.types[j] as Type, want.types[i] as Type);
        })
      );
    default:
      return false;
  }
}

/** All ways in which a type does not fit a constraint (see {@link conforms}), in cty's words, each with its path. */
export function conformanceErrors(given: Type, want: Type): readonly CtyError[] {
  const errors: CtyError[] = [];
  if (!conforms(given, want)) collect(given, want, [], errors);
  return errors;
}

function collect(given: Type, want: Type, path: Path, errors: CtyError[]): void {
  if (given === want || want.kind === 'dynamic') return;
  if (given.kind === 'object' && want.kind === 'object') {
    for (const name of given.names) {
      if (want.indexOf(name) === undefined) {
        errors.push(new CtyError(`unsupported attribute ${quoteText(name)}`, path));
      }
    }
    for (const name of want.names) {
      if (given.indexOf(name) === undefined) {
        errors.push(new CtyError(`missing required attribute ${quoteText(name)}`, path));
      }
    }
    want.names.forEach((name, i) => {
      const j = given.indexOf(name);
      if (j === undefined) return;
      collect(given.types[j] as Type, want.types[i] as Type, [...path, attrStep(name)], errors);
    });
    return;
  }
  if (given.kind === 'tuple' && want.kind === 'tuple') {
    if (given.elements.length !== want.elements.length) {
      const message = `${want.elements.length} elements are required, but got ${given.elements.length}`;
      errors.push(new CtyError(message, path));
      return;
    }
    want.elements.forEach((element, i) =>
      collect(given.elements[i] as Type, element, [...path, indexStep(i)], errors),
    );
    return;
  }
  if (given.kind === want.kind && isCollection(given) && isCollection(want)) {
    const keyType = want.kind === 'list' ? NUMBER : want.kind === 'map' ? STRING : given.element;
    collect(given.element, want.element, [...path, indexStep(plainUnknown(keyType))], errors);
    return;
  }
  const message = `${friendlyName(want)} required, but received ${friendlyName(given)}`;
  errors.push(new CtyError(message, path));
}
