import { reversed } from '@terrane/graph';
import type { ResourceNode } from '../evaluate/node.ts';
import type { Program } from '../evaluate/program.ts';
import type { ApplyInput } from './request.ts';

/**
 * Returns the managed resources whose values no expression reads during an apply: nothing in the configuration refers to
 * them, and they have no conditions, provisioners or actions of their own. Their final values are in the state; a second
 * copy for references would take as much memory as the plan of large resources.
 */
export function unreadResources(
  { plan, inspector, evaluateAll }: ApplyInput,
  program: Program,
): ReadonlySet<ResourceNode> {
  const unread = new Set<ResourceNode>();
  const mayReadAll = inspector !== undefined || evaluateAll === true || plan.invocations.length > 0;
  if (mayReadAll) return unread;
  const dependents = reversed(program.dependencies);
  for (const node of program.nodes) {
    if (node.kind !== 'resource' || node.resource.addr.mode !== 'managed') continue;
    const { preconditions, postconditions, provisioners, actionTriggers } = node.resource;
    const parts = [preconditions, postconditions, provisioners, actionTriggers];
    if (parts.some(({ length }) => length > 0)) continue;
    const isRead = dependents
      .edgesOf(node.id)
      .some((dependent) => program.nodes[dependent]?.kind !== 'moduleEnd');
    if (!isRead) unread.add(node);
  }
  return unread;
}
