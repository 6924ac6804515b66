import { asList, asMap, type Expression, type NativeBody } from '@terrane/hcl';
import type { ProjectModel } from './project-model.ts';
import type { SourceDocument } from './source-document.ts';
import type { Declaration, Occurrence, Span } from './symbol.ts';
import { keyName, spanOf } from './symbol-syntax.ts';

/** The definition of a member of an object. */
export interface MemberDefinition {
  readonly document: SourceDocument;
  readonly nameSpan: Span;
  /** the whole argument, block or element */
  readonly span: Span;
}

/** The definitions of the member that a reference names at an offset. */
export interface MemberDefinitions {
  /** the whole reference */
  readonly origin: Span;
  readonly definitions: readonly MemberDefinition[];
}

/**
 * Returns the definitions of the member that a reference names at an offset: for `terraform_data.a.input`, the argument
 * `input`. Falls back to the declarations of the object. Undefined if no reference with a member is at the offset.
 */
export function memberDefinitionsAt(
  project: ProjectModel,
  document: SourceDocument,
  offset: number,
): MemberDefinitions | undefined {
  const occurrence = document.symbols.occurrences
    .filter(({ role, span }) => role === 'reference' && span.end < offset)
    .reduce<Occurrence | undefined>(
      (nearest, each) =>
        nearest === undefined || each.span.end > nearest.span.end ? each : nearest,
      undefined,
    );
  const target = occurrence === undefined ? undefined : project.targetOf(document, occurrence);
  if (occurrence === undefined || target === undefined) return undefined;
  const steps = stepsUntil(document.text, occurrence.span.end, offset);
  if (steps === undefined) return undefined;
  const { path, end } = steps;
  const declarations = project.declarationsOf(target);
  const definitions = declarations.flatMap(({ document: owner, declaration }) =>
    placesIn(declaration, path).map((place) => ({ document: owner, ...place })),
  );
  return {
    origin: { start: occurrence.extent.start, end },
    definitions:
      definitions.length > 0
        ? definitions
        : declarations.map(({ document: owner, declaration: { nameSpan, span } }) => ({
            document: owner,
            nameSpan,
            span,
          })),
  };
}

interface Place {
  readonly nameSpan: Span;
  readonly span: Span;
}

/** A name, or the index of an element. */
type Step = string | number;

/** Parses the steps of a reference from `start`, the end of its name, up to the step at `offset`. */
function stepsUntil(
  text: string,
  start: number,
  offset: number,
): { readonly path: readonly Step[]; readonly end: number } | undefined {
  const path: Step[] = [];
  const pattern =
    /\s*(?:\.\s*(?:([\p{ID_Start}_][\p{ID_Continue}-]*)|(\d+)|\*)|\[\s*(?:(\d+)|"([^"\\]*)"|[^[\]"]*)\s*\])/uy;
  pattern.lastIndex = start;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, name, legacy, index, key] = match;
    const step = name ?? key ?? index ?? legacy;
    // Computed indices and splats add no step: the element is unknown.
    if (step !== undefined) path.push(name ?? key ?? Number(step));
    if (pattern.lastIndex >= offset)
      return path.length === 0 ? undefined : { path, end: pattern.lastIndex };
  }
  return undefined;
}

function placesIn(declaration: Declaration, path: readonly Step[]): readonly Place[] {
  switch (declaration.kind) {
    case 'variable':
      return inExpression(declaration.arguments.get('default'), path);
    case 'output':
      return inExpression(declaration.arguments.get('value'), path);
    case 'local':
      return inExpression(declaration.attribute?.expression, path);
    default: {
      const { block } = declaration;
      if (block === undefined) return [];
      // The first index of a repeated object is an instance.
      const isRepeated =
        block.body.attributes.has('count') || block.body.attributes.has('for_each');
      const [first, ...rest] = path;
      const isInstance =
        typeof first === 'number' || (isRepeated && !isArgument(block.body, first));
      return inBody(block.body, isInstance ? rest : path);
    }
  }
}

function isArgument(body: NativeBody, name: Step | undefined): boolean {
  return (
    typeof name === 'string' &&
    (body.attributes.has(name) || body.blocks.some(({ type }) => type === name))
  );
}

function inBody(body: NativeBody, [first, ...rest]: readonly Step[]): readonly Place[] {
  if (typeof first !== 'string') return [];
  const attribute = body.attributes.get(first);
  if (attribute !== undefined) {
    if (rest.length > 0) return inExpression(attribute.expression, rest);
    return [{ nameSpan: spanOf(attribute.nameRange), span: spanOf(attribute.range) }];
  }
  const blocks = body.blocks.filter(({ type }) => type === first);
  const [index, ...inner] = rest;
  const selectedBlocks = typeof index === 'number' ? blocks.slice(index, index + 1) : blocks;
  const innerPath = typeof index === 'number' ? inner : rest;
  if (innerPath.length > 0) return selectedBlocks.flatMap((block) => inBody(block.body, innerPath));
  return selectedBlocks.map((block) => ({
    nameSpan: spanOf(block.typeRange),
    span: spanOf(block.range),
  }));
}

function inExpression(
  expression: Expression | undefined,
  [first, ...rest]: readonly Step[],
): readonly Place[] {
  if (expression === undefined || first === undefined) return [];
  if (typeof first === 'number') {
    const element = asList(expression)?.[first];
    if (element === undefined) return [];
    const span = spanOf(element.range);
    return rest.length === 0 ? [{ nameSpan: span, span }] : inExpression(element, rest);
  }
  for (const { key, value } of asMap(expression) ?? []) {
    if (keyName(key) !== first) continue;
    if (rest.length > 0) return inExpression(value, rest);
    const nameSpan = spanOf(key.range);
    return [{ nameSpan, span: { start: nameSpan.start, end: spanOf(value.range).end } }];
  }
  return [];
}
