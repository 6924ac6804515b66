import { type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import type { PlannedChange } from '../objects/change.ts';
import type { Plan } from './model.ts';
import { sortChanges } from './order.ts';

/**
 * Returns true if a destroy plan forgets objects because of settings in OpenTofu files. OpenTofu treats this as a
 * failure, because automation may rely on all objects being destroyed.
 */
export function isLeavingObjects({ mode, changes }: Plan): boolean {
  const isLeft = ({ action, reason }: PlannedChange): boolean =>
    action === 'forget' && reason?.startsWith('forgot_because_') === true;
  return mode === 'destroy' && changes.some(isLeft);
}

/** Returns the warning about objects that a plan forgets. */
export function forgottenWarning(changes: readonly PlannedChange[]): readonly Diagnostic[] {
  const forgottenChanges = changes.filter(
    ({ action }) =>
      action === 'forget' || action === 'create-then-forget' || action === 'forget-then-create',
  );
  if (forgottenChanges.length === 0) return [];
  const list = sortChanges(forgottenChanges)
    .map((change) => ` - ${change.addr.text}`)
    .join('\n');
  return [
    warningDiagnostic(
      'Some objects will no longer be managed by Terraform',
      `If you apply this plan, Terraform will discard its tracking information for the following objects, but it will not delete them:\n${list}\n\nAfter applying this plan, Terraform will no longer manage these objects. You will need to import them into Terraform to manage them again.`,
    ),
  ];
}
