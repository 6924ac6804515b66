import { asMap } from '@terrane/hcl';
import { baseName, directoryOf } from './paths.ts';
import type { ProjectModel } from './project-model.ts';
import type { SourceDocument } from './source-document.ts';
import { keyName } from './symbol-syntax.ts';
import { callAt, nodesAt } from './syntax-nodes.ts';

/** The number of directories above a template file whose modules are searched. */
const MAX_ABOVE = 3;

/** Returns the names of the variables that calls of `templatefile` pass to a template file, in modules around it. */
export function templateVariables(
  project: ProjectModel,
  { path }: SourceDocument,
): readonly string[] {
  const name = baseName(path);
  const names = new Set<string>();
  let directory = directoryOf(path);
  for (let above = 0; above < MAX_ABOVE; above++) {
    for (const document of project.module(directory).documents) {
      const { native, text } = document;
      if (native === undefined || !text.includes('templatefile')) continue;
      for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
        const call = callAt(nodesAt(native, at));
        if (call === undefined || call.name.replace(/^core::/, '') !== 'templatefile') continue;
        const variables = call.args[1];
        for (const { key } of (variables === undefined ? undefined : asMap(variables)) ?? []) {
          const variable = keyName(key);
          if (variable !== undefined) names.add(variable);
        }
      }
    }
    const parent = directoryOf(directory);
    if (parent === directory) break;
    directory = parent;
  }
  return [...names];
}

/** Returns true if a text ends within an interpolation or a directive. */
export function isInsideTemplate(text: string): boolean {
  const start = Math.max(lastOpening(text, '${'), lastOpening(text, '%{'));
  if (start < 0) return false;
  let depth = 0;
  for (const character of text.slice(start + 1)) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (depth === 0) return false;
  }
  return true;
}

/** The last opening of a sequence that is not escaped by doubling its first character. */
function lastOpening(text: string, opening: string): number {
  for (let at = text.lastIndexOf(opening); at >= 0; at = text.lastIndexOf(opening, at - 1)) {
    if (text[at - 1] !== opening[0]) return at;
    if (at === 0) break;
  }
  return -1;
}
