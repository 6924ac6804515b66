import type { CursorContext } from '../cursor-context.ts';
import { PROVISIONERS } from '../language-schema.ts';
import type { CompletionItem } from './completion-item.ts';
import type { CompletionSite } from './completion-site.ts';
import { isMatch, MAX_DESCRIBED } from './match.ts';

/** Labels of a block. */
export function labelItems(
  site: CompletionSite,
  position: CursorContext['position'] & { readonly kind: 'label' },
): CompletionItem[] {
  const { typed } = site.cursor;
  const { text } = site.document;
  const { isQuoted } = position;
  // A name that is typed within quotes replaces everything up to the closing quote.
  let end = site.offset;
  if (isQuoted) while (end < text.length && /[\w.-]/.test(text[end] ?? '')) end++;
  const span = { start: typed.start, end: isQuoted ? end : typed.end };
  const names = labelNames(site, position);
  return names.map(({ name, detail, documentation, insert, deprecated }) => ({
    label: name,
    kind: 'type',
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { documentation }),
    insert: isQuoted ? name : (insert ?? `"${name}"`),
    span,
    deprecated: deprecated === true,
    rank: deprecated === true ? 2 : 1,
  }));
}

function labelNames(
  site: CompletionSite,
  { block, index, labels }: CursorContext['position'] & { readonly kind: 'label' },
): readonly LabelProposal[] {
  const { blocks } = site.cursor;
  if (blocks.length === 0 || block === 'data') {
    if (index === 0 && ['resource', 'data', 'ephemeral', 'action', 'list'].includes(block))
      return typeNames(site, block);
    if (index === 0 && (block === 'provider' || block === 'mock_provider'))
      return site.lookup.localNames().map((name) => ({ name }));
    if (index === 1) return referencedNames(site, block, labels[0] ?? '');
    if (index === 0 && (block === 'variable' || block === 'module' || block === 'output'))
      return undeclaredNames(site, block === 'variable' ? 'var' : block);
  }
  if (index > 0) return [];
  if (block === 'backend') return BACKENDS.map((name) => ({ name }));
  if (block === 'provisioner') return Object.keys(PROVISIONERS).map((name) => ({ name }));
  if (block === 'dynamic') {
    const schema = site.lookup.blockSchema(site.document.kind.role, blocks);
    return Object.keys(schema?.blocks ?? {}).map((name) => ({ name }));
  }
  if (block === 'mock_resource' || block === 'mock_data')
    return site.lookup
      .types(block === 'mock_data' ? 'data' : 'resource')
      .map(({ type, provider }) => ({ name: type, detail: provider }));
  return [];
}

/** Returns the matching types of a kind of block. Only a short list has descriptions, because they need schemas. */
function typeNames({ lookup, document, cursor, offset }: CompletionSite, block: string) {
  const typed = document.text.slice(cursor.typed.start, offset).replace(/^"/, '');
  const matchingTypes = lookup.types(block).filter(({ type }) => isMatch(type, typed));
  return matchingTypes.map(({ type, provider, schema }): LabelProposal => {
    const schemaBlock = matchingTypes.length > MAX_DESCRIBED ? undefined : schema()?.block;
    return {
      name: type,
      detail: provider,
      documentation: schemaBlock?.description,
      deprecated: schemaBlock?.deprecated,
    };
  });
}

/** Names of a resource type that are used but not declared. */
function referencedNames(
  site: CompletionSite,
  block: string,
  type: string,
): readonly LabelProposal[] {
  const prefix = block === 'resource' ? `${type}.` : `${block}.${type}.`;
  return unresolvedNames(site, (key) =>
    key.startsWith(prefix) ? key.slice(prefix.length) : undefined,
  );
}

function undeclaredNames(site: CompletionSite, root: string): readonly LabelProposal[] {
  return unresolvedNames(site, (key) =>
    key.startsWith(`${root}.`) ? key.slice(root.length + 1) : undefined,
  );
}

function unresolvedNames(
  site: CompletionSite,
  nameOf: (key: string) => string | undefined,
): readonly LabelProposal[] {
  const module = site.context.project.module(site.directory);
  const names = new Set<string>();
  for (const document of module.documents) {
    for (const { key, via, role } of document.symbols.occurrences) {
      const name = via === '' && role === 'reference' ? nameOf(key) : undefined;
      if (name !== undefined && !module.declarations.has(key)) names.add(name);
    }
  }
  return [...names].map((name) => ({ name, detail: 'used, but not declared' }));
}

interface LabelProposal {
  readonly name: string;
  readonly detail?: string | undefined;
  readonly documentation?: string | undefined;
  readonly insert?: string;
  readonly deprecated?: boolean | undefined;
}

const BACKENDS: readonly string[] = [
  'azurerm',
  'consul',
  'cos',
  'gcs',
  'http',
  'kubernetes',
  'local',
  'oss',
  'pg',
  'remote',
  's3',
];
