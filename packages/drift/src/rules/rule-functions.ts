import type { FunctionSpec } from '@terrane/cty';
import { functionTable, loadFunctionLibraries } from '@terrane/functions';
import type { Project } from '@terrane/ops';

/** Functions that read files or depend on the directory. */
const FILE_FUNCTION = /^(core::)?(file|templatefile|pathexpand|abspath)/;

/** Returns the functions of conditions: those of the language, except for functions that read files. */
export async function ruleFunctions({ host }: Project): Promise<ReadonlyMap<string, FunctionSpec>> {
  await loadFunctionLibraries();
  const { files, environment, clock, random } = host;
  const table = functionTable({ files, environment, clock, random }, { baseDir: '.', pure: true });
  return new Map([...table].filter(([name]) => !FILE_FUNCTION.test(name)));
}
