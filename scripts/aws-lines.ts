/** Prints how long the resource types of the provider for AWS are, longest first, and the median. */
import { join } from 'node:path';
import { medianOf, readSources, resourceLines } from './aws-lines/resource-lines.ts';
import { root } from './root.ts';

const resources = resourceLines(readSources(join(root, 'providers/aws/src')));
for (const { type, lines, modules } of resources.toSorted((a, b) => b.lines - a.lines)) {
  const parts = [...modules].map(([path, moduleLines]) => `${path} ${moduleLines}`).join(', ');
  console.log(`${String(lines).padStart(5)} ${type.padEnd(52)} ${parts}`);
}
console.log(`${resources.length} types, median ${medianOf(resources)} lines`);
