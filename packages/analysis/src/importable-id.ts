import { convert, CtyError, STRING } from '@terrane/cty';
import type { AnalysisContext } from './analysis-context.ts';
import type { Declaration } from './symbol.ts';

/**
 * Returns the ID of the object that the state has at the address of a resource, with template sequences escaped, for
 * an `import` block. Undefined if there is none, if it is sensitive, or if the resource is imported already.
 */
export function importableId(
  context: AnalysisContext,
  directory: string,
  { kind, key }: Declaration,
): string | undefined {
  if (kind !== 'resource') return undefined;
  const id = context.values(directory)?.valueOf(`${key}.id`);
  if (id === undefined || !id.isKnown || id.isNull || id.isMarked) return undefined;
  const isImported = context.project
    .occurrencesOf({ directory, key })
    .some(({ occurrence }) => occurrence.refactoring === 'import');
  if (isImported) return undefined;
  try {
    return convert(id, STRING).asString().replaceAll('${', '$$$${').replaceAll('%{', '%%{');
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}
