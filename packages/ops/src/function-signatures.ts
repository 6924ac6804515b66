import { type FunctionSignature, functionSignatures, functionTable } from '@terrane/functions';
import { functionPorts } from './load-project.ts';
import type { Project } from './project.ts';

/** The signatures of the functions that configurations can call, "core::" names included. */
export function listFunctions(project: Project): readonly FunctionSignature[] {
  const options = { baseDir: '.', pure: false };
  return functionSignatures(functionTable(functionPorts(project), options));
}
