import type { ResourceNode } from '../evaluate/node.ts';
import type { Program } from '../evaluate/program.ts';
import { unreadResources } from '../evaluate/unread-resources.ts';
import type { ApplyInput } from './request.ts';

/**
 * Returns the managed resources whose values nothing reads during an apply. Their final values are in the state; a
 * second copy for references would take as much memory as the plan of large resources.
 */
export function resourcesUnreadByApply(
  { plan, inspector, evaluateAll }: ApplyInput,
  program: Program,
): ReadonlySet<ResourceNode> {
  const mayReadAll = inspector !== undefined || evaluateAll === true || plan.invocations.length > 0;
  return mayReadAll ? new Set() : unreadResources(program);
}
