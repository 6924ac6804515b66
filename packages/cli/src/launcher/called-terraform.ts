import { basename } from 'node:path';

/** Whether the program was started by a file of that name, as `terrane shim` has it. */
export function isCalledTerraform([, script = '']: readonly string[]): boolean {
  return basename(script, '.js') === 'terraform';
}
