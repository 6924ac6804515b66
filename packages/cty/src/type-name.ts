import { quoteText } from './text.ts';
import { hasOptional, type Type } from './type.ts';

/** The English name of a type as messages use it: "list of string", "object", "dynamic". */
export function friendlyName(t: Type): string {
  return nameOf(t, 'dynamic', 'dynamic');
}

/** Variant of {@link friendlyName} for a type constraint: dynamic reads "any type", "list of any single type". */
export function friendlyNameForConstraint(t: Type): string {
  return nameOf(t, 'any type', 'any single type');
}

function nameOf(t: Type, dynamic: string, dynamicElement: string): string {
  switch (t.kind) {
    case 'dynamic':
      return dynamic;
    case 'list':
    case 'set':
    case 'map': {
      const element =
        t.element.kind === 'dynamic' ? dynamicElement : nameOf(t.element, dynamic, dynamicElement);
      return `${t.kind} of ${element}`;
    }
    case 'capsule':
      return t.name;
    default:
      return t.kind;
  }
}

// Created when it is needed, because classes of Unicode take half a millisecond.
const isIdentifier = (name: string): boolean => /^[\p{ID_Start}][\p{ID_Continue}-]*$/u.test(name);

/**
 * Formats a type as an expression of the configuration language: `object({a=string,b=optional(number)})`. Attribute
 * names that are not identifiers are quoted; capsule types appear by their name.
 */
export function typeToString(t: Type): string {
  switch (t.kind) {
    case 'dynamic':
      return 'any';
    case 'list':
    case 'set':
    case 'map':
      return `${t.kind}(${typeToString(t.element)})`;
    case 'tuple':
      return `tuple([${t.elements.map(typeToString).join(',')}])`;
    case 'object': {
      const attributes = t.names.map((name, i) => {
        const type = typeToString(t.types[i] as Type);
        const key = isIdentifier(name) ? name : quoteText(name);
        return `${key}=${hasOptional(t) && t.optional.has(name) ? `optional(${type})` : type}`;
      });
      return `object({${attributes.join(',')}})`;
    }
    case 'capsule':
      return t.name;
    default:
      return t.kind;
  }
}
