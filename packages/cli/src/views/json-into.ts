import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { JsonValues } from '../arguments.ts';
import type { CommandContext } from '../command.ts';
import type { World } from '../world.ts';

/** The output file and view that `-json-into` requests. */
export interface JsonInto {
  /** a world whose standard output is the file; undefined without `-json-into` */
  readonly world?: World;
  /** errors of opening the file */
  readonly problems: readonly Diagnostic[];
}

/** Opens the file of `-json-into`, which receives the JSON output while the command runs. */
export function jsonInto(values: JsonValues, context: CommandContext): JsonInto {
  const path = values['json-into'];
  if (path === '') return { problems: [] };
  const problems: Diagnostic[] = [];
  let world: World | undefined;
  try {
    world = { ...context.world, stdout: context.outputs.open(path) };
  } catch (error) {
    const reason = userErrorText(error, path);
    problems.push(
      errorDiagnostic(
        'Invalid argument',
        `Unable to open the file ${JSON.stringify(path)} specified by -json-into for writing: ${reason}`,
      ),
    );
  }
  if (values.json) {
    problems.push(
      errorDiagnostic(
        'Invalid output format',
        'The -json and -json-into arguments are mutually exclusive',
      ),
    );
  }
  return { ...(world === undefined ? {} : { world }), problems };
}
