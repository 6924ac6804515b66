import { equal, nullOf, type Path, pathEquals, type Value, valueAt } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Action, ActionReason } from './change.ts';

/** An action and, where the values do not show it, why. */
export interface Decision {
  readonly action: Action;
  readonly reason?: ActionReason;
}

/** The facts from which the action for a configured instance is chosen. */
export interface Evidence {
  readonly prior: Value;
  readonly planned: Value;
  readonly createBeforeDestroy: boolean;
  readonly forced: boolean;
  readonly requiredReplace: readonly Path[];
}

/** Chooses the action. Values are unmarked. */
export function decideAction(evidence: Evidence): Decision {
  const { prior, planned, forced, requiredReplace } = evidence;
  if (prior.isNull) return { action: 'create' };
  if (forced || requiredReplace.length > 0) {
    const action = evidence.createBeforeDestroy ? 'create-then-delete' : 'delete-then-create';
    return { action, reason: forced ? 'replace_by_request' : 'replace_because_cannot_update' };
  }
  return { action: isEqual(planned, prior) ? 'no-op' : 'update' };
}

/** Returns true if values are equal; false if a part is unknown. */
export function isEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  const result = equal(a, b);
  return result.isKnown && result.asBool();
}

/** Returns true if an action replaces an object. */
export function isReplace(action: Action): boolean {
  return (
    action === 'delete-then-create' ||
    action === 'create-then-delete' ||
    action === 'create-then-forget' ||
    action === 'forget-then-create'
  );
}

/**
 * Filters the paths for which a provider requires replacement to those with a changed value; a write-only attribute
 * always counts. A path that neither value has is a defect of the provider.
 */
export function requiredReplacements(
  requestedPaths: readonly Path[],
  prior: Value,
  planned: Value,
  writeOnly: readonly Path[],
  origin: { readonly provider: string; readonly address: string },
  diagnostics: Diagnostic[],
): readonly Path[] {
  if (requestedPaths.length === 0 || prior.isNull) return [];
  const minimalPaths: Path[] = [];
  for (const path of requestedPaths) {
    if (minimalPaths.some((other) => pathEquals(other, path))) continue;
    const before = valueAt(prior, path);
    const after = valueAt(planned, path);
    const example = before ?? after;
    if (example === undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Provider produced invalid plan',
          `Provider "${origin.provider}" has indicated "requires replacement" on ${origin.address} for a non-existent attribute path.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`,
        ),
      );
      continue;
    }
    const isWriteOnly = writeOnly.some((other) => pathEquals(other, path));
    const absent = nullOf(example.type);
    if (isWriteOnly || !isEqual(after ?? absent, before ?? absent)) minimalPaths.push(path);
  }
  return minimalPaths;
}
