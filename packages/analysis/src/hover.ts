import { parseReference } from '@terrane/addresses';
import { friendlyNameForConstraint, typeToString } from '@terrane/cty';
import type { Expression } from '@terrane/hcl';
import type { AttributeSchema } from '@terrane/provider';
import type { AnalysisContext } from './analysis-context.ts';
import { literalText, spanOf } from './symbol-syntax.ts';
import { signatureText } from './completion/completion-item.ts';
import { attributeLines, blockLines, code } from './hover-text.ts';
import { jsonHover, templateHover } from './hover-others.ts';
import { baseName } from './paths.ts';
import { isTrue, ownProperty, SchemaLookup, variableType } from './schema-lookup.ts';
import type { SourceDocument } from './source-document.ts';
import type { Declaration, Occurrence, Span } from './symbol.ts';
import { callAt, enclosing, type NodesAt, nodesAt } from './syntax-nodes.ts';
import { valueOnOneLine } from './value-display.ts';

/** Information about a place, in Markdown. */
export interface HoverText {
  readonly markdown: string;
  readonly span: Span;
}

/** The maximum length of a shown value. */
const MAX_VALUE = 300;

/** Returns documentation, types and the value of the symbol at an offset. */
export function hoverAt(
  context: AnalysisContext,
  document: SourceDocument,
  offset: number,
): HoverText | undefined {
  const { project } = context;
  const directory = project.moduleDirectoryOf(document);
  const occurrence = project.occurrenceAt(document, offset);
  const { native } = document;
  const nodes = native === undefined ? undefined : nodesAt(native, offset);
  if (occurrence !== undefined) {
    const hoverText = symbolHover(context, document, directory, occurrence, nodes);
    if (hoverText !== undefined) return hoverText;
  }
  const lookup = new SchemaLookup(project, directory, context.schemas(directory));
  if (nodes === undefined)
    return document.kind.syntax === 'json'
      ? jsonHover(lookup, document, offset)
      : templateHover(context, document, offset);
  return (
    functionHover(context, lookup, nodes, offset) ??
    referencePartHover(context, document, directory, lookup, nodes, offset) ??
    schemaHover(document, lookup, nodes, offset)
  );
}

function symbolHover(
  context: AnalysisContext,
  document: SourceDocument,
  directory: string,
  occurrence: Occurrence,
  nodes: NodesAt | undefined,
): HoverText | undefined {
  const { project } = context;
  const target = project.targetOf(document, occurrence);
  const [firstDeclaration] = target === undefined ? [] : project.declarationsOf(target);
  if (firstDeclaration === undefined) return undefined;
  const { declaration } = firstDeclaration;
  const lines = [heading(declaration, occurrence)];
  const description = declaration.arguments.get('description');
  const text = description === undefined ? undefined : literalText(description);
  if (text !== undefined && text !== '') lines.push(escapeMarkdown(text));
  const { kind, type } = declaration;
  if (type !== undefined && (kind === 'resource' || kind === 'data' || kind === 'ephemeral')) {
    const lookup = new SchemaLookup(project, directory, context.schemas(directory));
    const summary = lookup.resource(kind, type)?.block.description;
    if (summary !== undefined) lines.push(firstParagraph(summary));
  }
  const isHere = target?.directory === directory;
  const value = isHere
    ? valueLine(context, directory, declaration, occurrence, document, nodes)
    : undefined;
  if (value !== undefined) lines.push(value);
  if (firstDeclaration.document !== document)
    lines.push(`Declared in \`${baseName(firstDeclaration.document.path)}\`.`);
  return { markdown: lines.join('\n\n'), span: occurrence.span };
}

function heading(declaration: Declaration, { key }: Occurrence): string {
  const { kind, arguments: values } = declaration;
  const parts: string[] = [];
  if (kind === 'variable') {
    const type = friendlyNameForConstraint(variableType(values.get('type')));
    parts.push(type, values.has('default') ? 'optional' : 'required');
  }
  if (isTrue(values.get('sensitive'))) parts.push('sensitive');
  if (isTrue(values.get('ephemeral'))) parts.push('ephemeral');
  if (values.has('deprecated')) parts.push('deprecated');
  const source = kind === 'module' ? values.get('source') : undefined;
  const sourceText = source === undefined ? undefined : literalText(source);
  if (sourceText !== undefined) parts.push(sourceText);
  // Most keys begin with the kind already: `local.title`.
  const title = key.startsWith(`${kind}.`) ? key : `${kind} ${key}`;
  return code(`${title}${parts.length === 0 ? '' : `  # ${parts.join(', ')}`}`);
}

/** The value of a variable, local or reference; never of sensitive and ephemeral ones. */
function valueLine(
  context: AnalysisContext,
  directory: string,
  declaration: Declaration,
  occurrence: Occurrence,
  document: SourceDocument,
  nodes: NodesAt | undefined,
): string | undefined {
  const values = context.values(directory);
  if (values === undefined) return undefined;
  const expression = expressionOf(declaration, occurrence, document, nodes);
  const value = expression === undefined ? undefined : values.valueOf(expression);
  if (value === undefined) return undefined;
  // Without a state, nothing is known about objects.
  if (!value.isKnown && declaration.kind === 'resource') return undefined;
  return `Value: \`${inCode(valueOnOneLine(value, MAX_VALUE))}\``;
}

function expressionOf(
  { kind, key, attribute, arguments: values }: Declaration,
  { role, extent }: Occurrence,
  document: SourceDocument,
  nodes: NodesAt | undefined,
): string | undefined {
  if (role === 'reference') {
    const text = document.text.slice(extent.start, extent.end);
    // Inside a for expression, the text may refer to its element.
    return nodes?.expressions.some(({ kind: inner }) => inner === 'for') === true &&
      !/^(?:var|local|module|data|path)\b/.test(text)
      ? undefined
      : text;
  }
  switch (kind) {
    case 'resource':
    case 'data':
      return key;
    case 'variable':
    case 'local':
      return attribute === undefined && kind === 'local' ? undefined : key;
    case 'output': {
      const expression = values.get('value');
      return expression === undefined ||
        isTrue(values.get('sensitive')) ||
        isTrue(values.get('ephemeral'))
        ? undefined
        : sourceText(expression);
    }
    default:
      return undefined;
  }
}

/** The source of an expression outside of JSON strings. */
export function sourceText(expression: Expression): string {
  const { start, end } = spanOf(expression.range);
  return expression.range.source.root.text.slice(start, end);
}

function functionHover(
  { functions }: AnalysisContext,
  lookup: SchemaLookup,
  nodes: NodesAt,
  offset: number,
): HoverText | undefined {
  const call = callAt(nodes);
  if (call === undefined) return undefined;
  const span = spanOf(call.nameRange);
  if (offset < span.start || offset > span.end) return undefined;
  const signature = functions.find(({ name }) => name === call.name);
  if (signature !== undefined)
    return { markdown: `${code(signatureText(signature))}\n\n${signature.description}`, span };
  const [namespace, provider = '', name = ''] = call.name.split('::');
  if (namespace !== 'provider') return undefined;
  const provided = ownProperty(lookup.provider(provider)?.functions ?? {}, name);
  if (provided === undefined) return undefined;
  const parameters = provided.parameters.map((parameter) => parameter.name).join(', ');
  return {
    markdown: `${code(`${call.name}(${parameters}) ${friendlyNameForConstraint(provided.returns)}`)}\n\n${provided.description ?? provided.summary ?? ''}`,
    span,
  };
}

/** An attribute in a reference, such as `arn` in `aws_s3_bucket.b.arn`, or an object of the language such as `each.key`. */
function referencePartHover(
  context: AnalysisContext,
  document: SourceDocument,
  directory: string,
  lookup: SchemaLookup,
  { expressions }: NodesAt,
  offset: number,
): HoverText | undefined {
  const traversalExpression = expressions.findLast(({ kind }) => kind === 'scopeTraversal');
  if (traversalExpression?.kind !== 'scopeTraversal') return undefined;
  const { traversal } = traversalExpression;
  const { reference } = parseReference(traversal);
  const step = traversal.steps.findIndex(
    ({ range }) => range.start <= offset && offset <= range.end,
  );
  if (reference === undefined || step < 0) return undefined;
  const span = { start: traversal.range.start, end: traversal.steps[step]?.range.end ?? offset };
  const { subject, consumed } = reference;
  const lines: string[] = [];
  if (subject.kind === 'resource' && step >= consumed) {
    const kind = subject.resource.mode === 'managed' ? 'resource' : subject.resource.mode;
    let block = lookup.resource(kind, subject.resource.type)?.block;
    let attribute: AttributeSchema | undefined;
    for (const each of traversal.steps.slice(consumed, step + 1)) {
      if (each.kind !== 'attr' || block === undefined) continue;
      attribute = ownProperty(block.attributes, each.name);
      block = ownProperty(block.blocks, each.name)?.block;
    }
    if (attribute !== undefined) {
      const last = traversal.steps[step];
      const name = last?.kind === 'attr' ? last.name : '';
      lines.push(...attributeLines(name, attribute));
    }
  }
  const text = document.text.slice(span.start, span.end);
  const value = context.values(directory)?.valueOf(text);
  if (value !== undefined) {
    lines.push(`Type: \`${inCode(typeToString(value.type).slice(0, MAX_VALUE))}\``);
    lines.push(`Value: \`${inCode(valueOnOneLine(value, MAX_VALUE))}\``);
  }
  return lines.length === 0 ? undefined : { markdown: lines.join('\n\n'), span };
}

function schemaHover(
  document: SourceDocument,
  lookup: SchemaLookup,
  { blocks, attribute }: NodesAt,
  offset: number,
): HoverText | undefined {
  const { role } = document.kind;
  const isIn = ({ start, end }: Span): boolean => start <= offset && offset <= end;
  if (attribute !== undefined && isIn(attribute.nameRange)) {
    const schema = lookup.blockSchema(role, enclosing(blocks));
    const existing =
      schema === undefined ? undefined : ownProperty(schema.attributes, attribute.name);
    if (existing === undefined) return undefined;
    return {
      markdown: attributeLines(attribute.name, existing).join('\n\n'),
      span: spanOf(attribute.nameRange),
    };
  }
  const block = blocks.at(-1);
  if (block === undefined) return undefined;
  const outer = blocks.slice(0, -1);
  if (isIn(block.typeRange)) {
    const language = outer.length === 0 ? lookup.languageBlock(role, block.type) : undefined;
    if (language !== undefined) {
      const link = language.link === undefined ? '' : `\n\n[Documentation](${language.link})`;
      const head = [block.type, ...language.labels.map((label) => `"${label}"`)].join(' ');
      return {
        markdown: `${code(head)}\n\n${language.description}${link}`,
        span: spanOf(block.typeRange),
      };
    }
    const schema = lookup.blockSchema(role, enclosing(blocks));
    return schema === undefined
      ? undefined
      : { markdown: blockLines(block.type, schema), span: spanOf(block.typeRange) };
  }
  const label = block.labelRanges.findIndex(isIn);
  if (label === 0 && ['resource', 'data', 'ephemeral', 'action', 'list'].includes(block.type)) {
    const type = block.labels[0] ?? '';
    const schema = lookup.resource(block.type, type);
    const range = block.labelRanges[0];
    if (schema === undefined || range === undefined) return undefined;
    const page = providerPage(lookup, block.type, type);
    const link = page === undefined ? '' : `\n\n[Documentation](${page})`;
    return {
      markdown: `${blockLines(`${block.type} "${type}"`, schema.block)}${link}`,
      span: spanOf(range),
    };
  }
  return undefined;
}

/** The page of a type in the registry of its provider. */
export function providerPage(lookup: SchemaLookup, kind: string, type: string): string | undefined {
  const underscore = type.indexOf('_');
  const local = underscore < 0 ? type : type.slice(0, underscore);
  const { hostname, namespace, type: provider } = lookup.sourceOf(local);
  const folders: Readonly<Record<string, string>> = {
    resource: 'resources',
    data: 'data-sources',
    ephemeral: 'ephemeral-resources',
    action: 'actions',
    list: 'list-resources',
  };
  const folder = ownProperty(folders, kind);
  if (hostname !== 'registry.terraform.io' || folder === undefined || underscore < 0)
    return undefined;
  return `https://${hostname}/providers/${namespace}/${provider}/latest/docs/${folder}/${type.slice(underscore + 1)}`;
}

function inCode(text: string): string {
  return text.replaceAll('`', 'ˋ');
}

function firstParagraph(text: string): string {
  const [first = ''] = text.split(/\n\s*\n/);
  return first.length > 500 ? `${first.slice(0, 499)}…` : first;
}

/** Text of a configuration is shown as it is written: it is no Markdown, and no links or images of it are loaded. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#!|]/g, String.raw`\$&`);
}
