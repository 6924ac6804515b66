import { ProviderSource, parseModuleSource } from '@terrane/addresses';
import { asMap, asTraversal } from '@terrane/hcl';
import type { AnalysisContext } from './analysis-context.ts';
import { literalText, spanOf } from './symbol-syntax.ts';
import { providerPage } from './hover.ts';
import { baseName } from './paths.ts';
import { SchemaLookup } from './schema-lookup.ts';
import type { SourceDocument } from './source-document.ts';
import type { Span } from './symbol.ts';

/** A link of a document to a web page or a file. */
export interface DocumentLink {
  readonly span: Span;
  readonly target: { readonly url: string } | { readonly path: string };
  readonly tooltip: string;
}

/** Links of module sources, provider sources and resource types. */
export function documentLinks(
  context: AnalysisContext,
  document: SourceDocument,
): readonly DocumentLink[] {
  const { project } = context;
  const directory = project.moduleDirectoryOf(document);
  const lookup = new SchemaLookup(project, directory, context.schemas(directory));
  const links: DocumentLink[] = [];
  for (const link of document.symbols.links) {
    const { source, version, sourceSpan } = link;
    if (source === undefined || sourceSpan === undefined) continue;
    const parsed = parseModuleSource(source, version !== undefined);
    if ('error' in parsed) continue;
    const span = withoutQuotes(document.text, sourceSpan);
    if (parsed.source.kind === 'local') {
      const target = project.linkedDirectory(directory, link);
      const paths = target === undefined ? [] : project.module(target).paths;
      const path = paths.find((each) => baseName(each) === 'main.tf') ?? paths[0];
      if (path !== undefined) links.push({ span, target: { path }, tooltip: 'Open the module' });
    } else if (
      parsed.source.kind === 'registry' &&
      parsed.source.host === 'registry.terraform.io'
    ) {
      const { host, namespace, name, system } = parsed.source;
      links.push({
        span,
        target: {
          url: `https://${host}/modules/${namespace}/${name}/${system}/${version !== undefined && /^[0-9.]+$/.test(version) ? version : 'latest'}`,
        },
        tooltip: 'Open the module in the registry',
      });
    }
  }
  for (const block of document.native?.blocks ?? []) {
    const [type = ''] = block.labels;
    const [range] = block.labelRanges;
    if (
      range !== undefined &&
      (block.type === 'resource' || block.type === 'data' || block.type === 'ephemeral')
    ) {
      const url = providerPage(lookup, block.type, type);
      if (url !== undefined)
        links.push({
          span: withoutQuotes(document.text, spanOf(range)),
          target: { url },
          tooltip: `Documentation of ${type}`,
        });
    }
    if (block.type !== 'terraform') continue;
    for (const inner of block.body.blocks) {
      if (inner.type !== 'required_providers') continue;
      for (const { expression } of inner.body.attributes.values()) {
        for (const { key, value } of asMap(expression) ?? []) {
          const [root] = asTraversal(key)?.steps ?? [];
          if (root?.kind !== 'root' || root.name !== 'source') continue;
          const source = ProviderSource.parse(literalText(value) ?? '');
          if ('error' in source || source.hostname !== 'registry.terraform.io') continue;
          links.push({
            span: withoutQuotes(document.text, spanOf(value.range)),
            target: {
              url: `https://${source.hostname}/providers/${source.namespace}/${source.type}/latest`,
            },
            tooltip: 'Open the provider in the registry',
          });
        }
      }
    }
  }
  return links;
}

function withoutQuotes(text: string, { start, end }: Span): Span {
  const isQuoted = text[start] === '"' && text[end - 1] === '"' && end - start > 1;
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end };
}
