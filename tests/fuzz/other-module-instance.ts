/** Returns true for objects in different instances of one module: neither waits for the deletion of the other. */
import { parseInstanceAddr } from '@terrane/addresses';
export function areInOtherInstances(first: string, other: string): boolean {
  const a = parseInstanceAddr(first).address?.resource.module;
  const b = parseInstanceAddr(other).address?.resource.module;
  return a !== undefined && b !== undefined && a !== b && a.path === b.path;
}
