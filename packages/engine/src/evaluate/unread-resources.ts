import { reversed } from '@terrane/graph';
import type { ResourceNode } from './node.ts';
import type { Program } from './program.ts';

/**
 * Returns the managed resources whose values no expression of the configuration reads: nothing refers to them, and they
 * have no conditions, provisioners or actions of their own.
 */
export function unreadResources(program: Program): ReadonlySet<ResourceNode> {
  const unread = new Set<ResourceNode>();
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
