import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { DRIFT_FLAGS } from './flags.ts';

/** `terrane drift` */
export const command: Command = {
  name: 'drift',
  summary: 'Report objects that were changed outside of Terrane',
  flags: DRIFT_FLAGS,
  help: `
Usage: terrane [global options] drift [options]

  Compares the objects in the state with the remote objects, and reports the
  differences, their severity and the effect of a plan on them. Nothing is
  changed: no state is written, no lock is acquired, and providers receive
  only read requests.

  The file drift.hcl in the working directory may contain rules for drift to
  ignore until a date. docs/drift.md describes it.

Exit codes:

  0                      No drift at the selected level.
  1                      An error, or objects that could not be read.
  2                      Drift.
  3                      With -exit-ignored: drift that rules ignore, and no
                         other.

Options:

  -accept                Also show the steps that would adopt the drift. They
                         are not executed.

  -annotations=host      Also print annotations for the runner of a code
                         host: github or azure.

  -code-quality=file     Also write a code quality report of GitLab.

  -exclude=resource, -exclude-file=file, -target=resource, -target-file=file
                         Read only some objects, as with the "plan" command.

  -exit-ignored          Exit with code 3 if rules ignore all of the drift.

  -input=true            Prompt for variables without a value.

  -json                  Print a JSON document instead of text.

  -json-into=file        Write the JSON document to a file.

  -junit-xml=file        Also write the result as JUnit XML.

  -level=referenced      The lowest level that counts as drift: vanished,
                         configured, referenced or noise.

  -no-color              Print without colors.

  -parallelism=n         The number of objects to read at the same time; 10
                         by default.

  -plan                  Plan with the providers to determine replacements.
                         The protocol requires planning to be free of side
                         effects.

  -rules=file            Read ignore rules from this file.

  -sarif=file            Also write the result as SARIF 2.1.0.

  -state=path            The state to read; "terraform.tfstate" by default.

  -var 'foo=bar', -var-file=filename
                         Values of variables, as with the "plan" command.

  -verbose               Also show drift below the level and ignored drift.
`,
  async run(args, context) {
    const parsed = parseFlags(DRIFT_FLAGS, args);
    return await (await import('./run.ts')).runDrift(parsed, context);
  },
};
