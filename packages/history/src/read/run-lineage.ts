import type { StateFile } from '@terrane/engine';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { RunSummary } from '../record/model.ts';

/**
 * Returns an error if a run belongs to a state of another lineage than the present one, with the remedy as its last
 * sentence. Undefined also if there is no state now.
 */
export function otherLineage(
  { id, base, final }: Pick<RunSummary, 'id' | 'base' | 'final'>,
  file: StateFile | undefined,
  remedy: string,
): Diagnostic | undefined {
  // A run that was interrupted before it stored the first state has an empty lineage.
  const lineage = (final ?? base)?.lineage ?? '';
  if (file === undefined || lineage === '' || lineage === file.lineage) return undefined;
  return errorDiagnostic(
    'Run of another state',
    `Run ${id} belongs to a state with the lineage ${JSON.stringify(lineage)}, and the present one has ${JSON.stringify(file.lineage)}: that state was lost, or this history was copied from elsewhere. ${remedy}`,
  );
}
