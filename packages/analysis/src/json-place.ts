import type { EnclosingBlock } from './cursor-context.ts';
import type { FileRole } from './file-kind.ts';
import { languageBlocks, NESTED_LABELS } from './language-schema.ts';
import { ownProperty, type SchemaLookup } from './schema-lookup.ts';

/** The block at a path of keys in a JSON file. */
export interface JsonPlace {
  readonly blocks: readonly EnclosingBlock[];
  /** the label position that the keys of the innermost object fill; undefined if the keys are arguments and blocks */
  readonly label?: {
    readonly block: string;
    readonly index: number;
    readonly labels: readonly string[];
  };
}

/** Returns the block at a path of keys; undefined inside the value of an argument. */
export function jsonPlace(
  lookup: SchemaLookup,
  role: FileRole,
  path: readonly string[],
): JsonPlace | undefined {
  if (role === 'variables') return path.length === 0 ? { blocks: [] } : undefined;
  const blocks: EnclosingBlock[] = [];
  let rest = path;
  for (;;) {
    const [type, ...inner] = rest;
    if (type === undefined) return { blocks };
    let labelCount: number;
    if (blocks.length === 0) {
      const language = ownProperty(languageBlocks(role), type);
      if (language === undefined) return undefined;
      labelCount = language.labels.length;
    } else {
      const nested = ownProperty(lookup.blockSchema(role, blocks)?.blocks ?? {}, type);
      if (nested === undefined) return undefined;
      labelCount = NESTED_LABELS[type]?.length ?? (nested.nesting === 'map' ? 1 : 0);
    }
    const labels = inner.slice(0, labelCount);
    if (labels.length < labelCount)
      return { blocks, label: { block: type, index: labels.length, labels } };
    blocks.push({ type, labels, bodyStart: 0 });
    rest = inner.slice(labelCount);
  }
}
