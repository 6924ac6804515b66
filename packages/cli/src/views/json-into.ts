import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { JsonValues } from '../arguments.ts';
import type { CommandContext } from '../command.ts';
import type { World } from '../world.ts';

/** What `-json-into` asks for. */
export interface JsonInto {
  /** the world whose output is the file; undefined where none is written */
  readonly world?: World;
  /** what is wrong with the option */
  readonly problems: readonly Diagnostic[];
}

/** Opens the file that `-json-into` names, for what `-json` puts out. It is written while the command runs. */
export function jsonInto(values: JsonValues, context: CommandContext): JsonInto {
  const path = values['json-into'];
  if (path === '') return { problems: [] };
  const problems: Diagnostic[] = [];
  let world: World | undefined;
  try {
    world = { ...context.world, stdout: context.outputs.open(path) };
  } catch (error) {
    const why = userErrorText(error, path);
    problems.push(
      errorDiagnostic(
        'Invalid argument',
        `Unable to open the file ${JSON.stringify(path)} specified by -json-into for writing: ${why}`,
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
