import { quoteText } from '@terrane/cty';
import { errorDiagnostic, hasErrors, isValidIdentifier } from '@terrane/hcl';
import type { Block, Body, BodySchema, Diagnostic, Range } from '@terrane/hcl';
import { decodeLocals, decodeVariable, type DecodedVariable } from './decode-named-values.ts';
import { decodeProvider } from './decode-provider.ts';
import { type DecodedResource, plainResource } from './decode-resource.ts';
import type { Local, ProviderBlock } from './model.ts';
import { decodeProviderRef } from './provider-ref.ts';
import { BAD_IDENTIFIER } from './static-value.ts';

/** The declarations of a query file. */
export interface QueryContent {
  readonly providers: ProviderBlock[];
  readonly variables: DecodedVariable[];
  readonly locals: Local[];
  readonly lists: DecodedResource[];
}

const FILE_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [
    { type: 'list', labelNames: ['type', 'name'] },
    { type: 'provider', labelNames: ['name'] },
    { type: 'locals' },
    { type: 'variable', labelNames: ['name'] },
  ],
};

const LIST_ATTRIBUTES: BodySchema['attributes'] = [
  { name: 'count' },
  { name: 'for_each' },
  { name: 'provider' },
  { name: 'include_resource' },
  { name: 'limit' },
];

/** Decodes the body of a query file, as Terraform 1.14 does. */
export function decodeQueryFile(body: Body, diagnostics: Diagnostic[]): QueryContent {
  const file: QueryContent = { providers: [], variables: [], locals: [], lists: [] };
  const { content, diagnostics: schemaProblems } = body.content(FILE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const firstRanges = new Map<string, Range>();
  for (const block of content.blocks) {
    switch (block.type) {
      case 'list':
        decodeListInto(file, block, firstRanges, diagnostics);
        break;
      case 'provider': {
        const provider = decodeProvider(block, diagnostics);
        if (provider !== undefined) file.providers.push(provider);
        break;
      }
      case 'variable':
        file.variables.push(decodeVariable(block, false, diagnostics));
        break;
      case 'locals':
        file.locals.push(...decodeLocals(block, diagnostics));
        break;
      default:
    }
  }
  return file;
}

function decodeListInto(
  file: QueryContent,
  block: Block,
  firstRanges: Map<string, Range>,
  diagnostics: Diagnostic[],
): void {
  const before = diagnostics.length;
  const list = decodeList(block, diagnostics);
  if (!hasErrors(diagnostics, before)) file.lists.push(list);
  const { type, name, text } = list.addr;
  const first = firstRanges.get(text);
  if (first === undefined) {
    firstRanges.set(text, list.range);
    return;
  }
  diagnostics.push(
    errorDiagnostic(
      'Duplicate "list" block names',
      `This query file already has a list block named ${type}.${name} defined at ${first}.`,
      block.defRange,
    ),
  );
}

function decodeList(block: Block, diagnostics: Diagnostic[]): DecodedResource {
  const [, name = ''] = block.labels;
  const schema = { attributes: LIST_ATTRIBUTES, blocks: [] };
  const { content, remain, diagnostics: schemaProblems } = block.body.partialContent(schema);
  diagnostics.push(...schemaProblems);
  const { attributes } = content;
  const limit = attributes.get('limit')?.expression;
  const includeResource = attributes.get('include_resource')?.expression;
  const list: DecodedResource = {
    ...plainResource('list', block, remain),
    list: {
      ...(limit === undefined ? {} : { limit }),
      ...(includeResource === undefined ? {} : { includeResource }),
    },
  };
  const provider = attributes.get('provider');
  if (provider === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Missing "provider" attribute',
        'You must specify a provider attribute when defining a list block.',
        block.defRange,
      ),
    );
  } else {
    const ref = decodeProviderRef(provider.expression, 'provider', diagnostics);
    if (ref !== undefined) list.providerRef = ref;
  }
  if (!isValidIdentifier(name)) {
    diagnostics.push(errorDiagnostic('Invalid list block name', BAD_IDENTIFIER, block.defRange));
  }
  const count = attributes.get('count');
  const forEach = attributes.get('for_each');
  if (count !== undefined) list.count = count.expression;
  if (forEach !== undefined) list.forEach = forEach.expression;
  if (count !== undefined && forEach !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid combination of "count" and "for_each"',
        'The "count" and "for_each" meta-arguments are mutually-exclusive.',
        forEach.nameRange,
      ),
    );
  }
  checkShape(block, diagnostics);
  return list;
}

/** Validates that a `list` block has only its own arguments and one block `config`. */
function checkShape(block: Block, diagnostics: Diagnostic[]): void {
  const schema = { attributes: LIST_ATTRIBUTES, blocks: [{ type: 'config' }] };
  const { content, diagnostics: schemaProblems } = block.body.content(schema);
  diagnostics.push(...schemaProblems);
  for (const second of content.blocks.slice(1)) {
    diagnostics.push(
      errorDiagnostic(
        'Duplicate config block',
        'A list block must contain only one nested "config" block.',
        second.defRange,
      ),
    );
  }
}

/** The error for a list block in a module that is not the root module. */
export function listBelowRoot(path: string, range: Range): Diagnostic {
  return errorDiagnostic(
    'Invalid list configuration',
    `A list block was detected in ${quoteText(path)}. List blocks are only allowed in the root module.`,
    range,
  );
}
