import type { NativeBlock } from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import type { EnclosingBlock } from '../cursor-context.ts';
import { languageBlocks, NESTED_LABELS } from '../language-schema.ts';
import { variablesSchema } from '../schema-lookup.ts';
import {
  attributeDetail,
  type CompletionItem,
  requiredSnippet,
  valueSnippet,
} from './completion-item.ts';
import type { CompletionSite } from './completion-site.ts';

/** Arguments and blocks that may be written in a body. */
export function bodyItems(site: CompletionSite): readonly CompletionItem[] {
  const { blocks, typed } = site.cursor;
  const { role } = site.document.kind;
  if (blocks.length === 0) {
    if (role === 'variables') {
      const schema = variablesSchema(site.context.project, site.directory);
      return argumentItems(site, schema, new Set(site.document.native?.attributes.keys()));
    }
    return Object.entries(languageBlocks(role)).map(([name, { labels, description, block }]) => ({
      label: name,
      kind: 'block',
      detail: 'block',
      documentation: description,
      insert: `${name}${labels.map((label, i) => ` "\${${i + 1}:${label}}"`).join('')} {\n${requiredSnippet(block, labels.length + 1)}}`,
      isSnippet: true,
      span: typed,
      rank: 1,
    }));
  }
  const innermost = blocks.at(-1);
  if (innermost?.type === 'required_providers') return requiredProviderItems(site);
  const schema = site.lookup.blockSchema(role, blocks);
  if (schema === undefined) return [];
  const existing = site.existingBlock(blocks);
  const used = new Set(existing?.body.attributes.keys());
  return [
    ...argumentItems(site, schema, used),
    ...blockItems(site, schema, existing?.body.blocks ?? [], innermost),
  ];
}

/** Arguments of a schema that are not set. */
export function argumentItems(
  site: CompletionSite,
  schema: BlockSchema,
  used: ReadonlySet<string>,
): readonly CompletionItem[] {
  const { typed } = site.cursor;
  const items: CompletionItem[] = [];
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const isWritable = attribute.required === true || attribute.optional === true;
    if (!isWritable || used.has(name)) continue;
    items.push({
      label: name,
      kind: 'argument',
      detail: attributeDetail(attribute),
      ...(attribute.description === undefined ? {} : { documentation: attribute.description }),
      insert: `${name} = ${valueSnippet(attribute, 1)}`,
      isSnippet: true,
      span: typed,
      deprecated: attribute.deprecated === true,
      rank: attribute.required === true ? 0 : attribute.deprecated === true ? 4 : 2,
    });
  }
  return items;
}

function blockItems(
  site: CompletionSite,
  schema: BlockSchema,
  existing: readonly NativeBlock[],
  outer: EnclosingBlock | undefined,
): readonly CompletionItem[] {
  const { typed } = site.cursor;
  const items: CompletionItem[] = [];
  for (const [name, { block, maxItems, minItems, nesting }] of Object.entries(schema.blocks)) {
    const count = existing.filter(({ type }) => type === name).length;
    const limit = nesting === 'single' || nesting === 'group' ? 1 : maxItems;
    if (limit !== undefined && limit > 0 && count >= limit) continue;
    const labels = NESTED_LABELS[name] ?? (nesting === 'map' ? ['key'] : []);
    items.push({
      label: name,
      kind: 'block',
      detail: `block${minItems === undefined || minItems === 0 ? '' : ', required'}`,
      ...(block.description === undefined ? {} : { documentation: block.description }),
      insert: `${name}${labels.map((label, i) => ` "\${${i + 1}:${label}}"`).join('')} {\n${requiredSnippet(block, labels.length + 1)}}`,
      isSnippet: true,
      span: typed,
      deprecated: block.deprecated === true,
      rank: minItems !== undefined && minItems > 0 ? 0 : block.deprecated === true ? 4 : 3,
    });
  }
  const generated = Object.keys(schema.blocks).filter((name) => NESTED_LABELS[name] === undefined);
  const [first] = generated.filter((name) => name !== 'lifecycle' && name !== 'connection');
  if (first !== undefined && outer !== undefined && outer.type !== 'terraform')
    items.push({
      label: 'dynamic',
      kind: 'block',
      detail: 'block',
      documentation: 'Generates nested blocks from a collection.',
      insert: `dynamic "\${1:${first}}" {\n  for_each = $2\n  content {\n    $0\n  }\n}`,
      isSnippet: true,
      span: typed,
      rank: 5,
    });
  return items;
}

function requiredProviderItems(site: CompletionSite): readonly CompletionItem[] {
  const { typed } = site.cursor;
  return site.lookup.localNames().map((name) => ({
    label: name,
    kind: 'argument',
    insert: `${name} = {\n  source  = "\${1:hashicorp/${name}}"\n  version = "$2"\n}`,
    isSnippet: true,
    span: typed,
    rank: 1,
  }));
}
