import { parseJson, quoteText, valueFromJson } from '@terrane/cty';
import type { CtyError, JsonNode, Type, Value } from '@terrane/cty';

/**
 * Decodes a stored object of a type. Attributes that the type does not have are ignored, so that a provider can drop
 * arguments without a new schema version.
 *
 * @throws CtyError if the text does not conform to the type
 */
export function readStored(json: string, type: Type): Value {
  const node = parseJson(json);
  return valueFromJson(withoutUnknown(node, type), type);
}

function withoutUnknown(node: JsonNode, type: Type): JsonNode {
  switch (type.kind) {
    case 'object':
      if (!isObject(node)) return node;
      return objectWithoutUnknown(node, type.names, type.types);
    case 'list':
    case 'set':
      if (!isArray(node) || isLeaf(type.element)) return node;
      return node.map((element) => withoutUnknown(element, type.element));
    case 'map':
      if (!isObject(node) || isLeaf(type.element)) return node;
      return new Map([...node].map(([key, v]) => [key, withoutUnknown(v, type.element)]));
    default:
      return node;
  }
}

function objectWithoutUnknown(
  node: ReadonlyMap<string, JsonNode>,
  names: readonly string[],
  types: readonly Type[],
): JsonNode {
  const kept = new Map<string, JsonNode>();
  for (const [i, name] of names.entries()) {
    const inner = node.get(name);
    const type = types[i];
    if (inner !== undefined && type !== undefined) kept.set(name, withoutUnknown(inner, type));
  }
  return kept;
}

function isLeaf(type: Type): boolean {
  return type.kind === 'string' || type.kind === 'number' || type.kind === 'bool';
}

function isArray(node: JsonNode): node is readonly JsonNode[] {
  return Array.isArray(node);
}

function isObject(node: JsonNode): node is ReadonlyMap<string, JsonNode> {
  return node instanceof Map;
}

/** Formats a conversion error of a stored object, with its path in the framework's format. */
export function storedProblem(error: CtyError): string {
  const steps = error.path.map((step) =>
    step.kind === 'attr' ? `AttributeName(${quoteText(step.name)})` : 'ElementKey(...)',
  );
  return steps.length === 0 ? error.message : `${steps.join('.')}: ${error.message}`;
}
