import { parseReference, type Reference, referenceableText } from '@terrane/addresses';
import { formatNumber, quoteText } from '@terrane/cty';
import {
  type Body,
  bodyForSpec,
  type BodySchema,
  bodySchemaOf,
  type Diagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Traversal,
  variables,
} from '@terrane/hcl';
import { type BlockSchema, decodeSpec } from '@terrane/provider';
import { jsonArray, JsonMembers, jsonObject, jsonStrings } from './json-text.ts';
import { valueJson } from './value-json.ts';

/** Returns an expression as JSON: its value if it is constant, and its references. */
export function expressionJson(expression: Expression): string {
  return expressionMembers(expression).text();
}

/** Variant that returns undefined for a missing expression, and for one that is neither constant nor has references. */
export function optionalExpressionJson(expression: Expression | undefined): string | undefined {
  if (expression === undefined) return undefined;
  const members = expressionMembers(expression);
  return members.isEmpty ? undefined : members.text();
}

function expressionMembers(expression: Expression): JsonMembers {
  const references = referencesOf(expression);
  // Problems are reported elsewhere; an expression with problems is omitted.
  const problems: Diagnostic[] = [];
  const value = evaluate(expression, undefined, problems);
  const isConstant = value.isWhollyKnown() && !hasErrors(problems);
  return new JsonMembers()
    .add('constant_value', isConstant ? valueJson(value) : undefined)
    .add('references', references.length === 0 ? undefined : jsonStrings(references));
}

/** Returns the references of an expression, each from its longest to its shortest form: `a.b.c[0]`, `a.b.c`, `a.b`. */
function referencesOf(expression: Expression): readonly string[] {
  const result: string[] = [];
  for (const traversal of variables(expression)) {
    const { reference } = parseReference(traversal);
    if (reference !== undefined) addReference(reference, result);
  }
  return result;
}

function addReference(reference: Reference, result: string[]): void {
  const { subject, traversal, consumed } = reference;
  const text = referenceableText(subject);
  for (let end = traversal.steps.length; end > consumed; end--) {
    result.push(text + stepsText(traversal, consumed, end));
  }
  result.push(text);
  if (subject.kind === 'moduleCall') {
    const { kind, name, key } = subject;
    if (subject.output !== undefined) result.push(referenceableText({ kind, name, key }));
    else if (key !== undefined) result.push(referenceableText({ kind, name }));
  } else if (subject.kind === 'resource' && subject.hasKey) {
    result.push(subject.resource.text);
  }
}

function stepsText(traversal: Traversal, from: number, to: number): string {
  let text = '';
  for (const step of traversal.steps.slice(from, to)) {
    if (step.kind === 'attr') text += `.${step.name}`;
    if (step.kind !== 'index') continue;
    const key = step.key;
    if (key.type.kind === 'string') text += `[${quoteText(key.asString())}]`;
    else if (key.type.kind === 'number') text += `[${formatNumber(key.asNum())}]`;
    else text += '[]';
  }
  return text;
}

/** The objects that `depends_on` names. */
export function dependsOnJson(traversals: readonly Traversal[]): string | undefined {
  if (traversals.length === 0) return undefined;
  return jsonStrings(
    traversals.map((traversal) => {
      const { reference } = parseReference(traversal);
      return reference === undefined ? '' : referenceableText(reference.subject);
    }),
  );
}

/**
 * Returns the arguments and nested blocks of a body, by name; undefined if there are none. Blocks generated only by a
 * `dynamic` block are omitted.
 */
export function bodyJson(body: Body, block: BlockSchema): string | undefined {
  const spec = decodeSpec(block);
  return bodyMembers(bodyForSpec(body, spec), block, bodySchemaOf(spec));
}

/** The arguments of a module call. */
export function argumentsJson(body: Body, names: Iterable<string>): string | undefined {
  const schema = { attributes: [...names].map((name) => ({ name })), blocks: [] };
  return bodyMembers(body, EMPTY_BLOCK, schema);
}

const EMPTY_BLOCK: BlockSchema = { attributes: {}, blocks: {} };

function bodyMembers(body: Body, block: BlockSchema, schema: BodySchema): string | undefined {
  const { content } = body.partialContent(schema);
  const members = new Map<string, string>();
  for (const [name, attribute] of content.attributes) {
    members.set(name, expressionJson(attribute.expression));
  }
  const lists = new Map<string, string[]>();
  const maps = new Map<string, Map<string, string>>();
  for (const nested of content.blocks) {
    const nestedSchema = block.blocks[nested.type];
    if (nestedSchema === undefined) continue;
    const json = bodyJson(nested.body, nestedSchema.block) ?? '{}';
    switch (nestedSchema.nesting) {
      case 'single':
      case 'group':
        members.set(nested.type, json);
        break;
      case 'list':
      case 'set':
        entry(lists, nested.type, () => []).push(json);
        break;
      case 'map':
        entry(maps, nested.type, () => new Map()).set(nested.labels[0] ?? '', json);
        break;
    }
  }
  for (const [name, items] of lists) members.set(name, jsonArray(items));
  for (const [name, items] of maps) members.set(name, jsonObject(items));
  return members.size === 0 ? undefined : jsonObject(members);
}

function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
