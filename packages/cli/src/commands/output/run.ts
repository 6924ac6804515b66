import { canConvert, convert, CtyError, friendlyName, STRING } from '@terrane/cty';
import { errorDiagnostic, hasErrors, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { didYouMeanClosest, EMPTY_STATE, type OutputState, type State } from '@terrane/engine';
import { DEFAULT_STATE_OPTIONS, readState } from '@terrane/ops';
import {
  outputJson,
  outputLines,
  outputsJson,
  redactedOutputJson,
  redactedOutputsJson,
  valueText,
} from '@terrane/render';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import type { OutputFlags } from './flags.ts';
import { jsonInto } from '../../views/json-into.ts';
import { View } from '../../views/view.ts';
import { flagProblems, redactedProblems, variableOptions } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';

/** Shows outputs of the state. */
export async function runOutput(parsed: OutputFlags, context: CommandContext): Promise<number> {
  const view = new View(context);
  const into = jsonInto(parsed.values, context);
  const problems = [...argumentProblems(parsed), ...into.problems];
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('output');
    return 1;
  }
  const { values, rest } = parsed;
  const options =
    values.state === '' ? DEFAULT_STATE_OPTIONS : { ...DEFAULT_STATE_OPTIONS, path: values.state };
  const { file, diagnostics } = await readState(
    projectOf(context, variableOptions(parsed.occurrences)),
    options,
    '',
  );
  if (hasErrors(diagnostics)) {
    view.diagnostics(diagnostics);
    return 1;
  }
  const state = file?.state ?? EMPTY_STATE;
  const { outputs } = state;
  const redacted = values.redacted ? state : undefined;
  const written = into.world?.stdout;
  const write = (text: string): void => {
    written?.write(`${text}\n`);
  };
  if (written !== undefined) showJson(write, outputs, rest[0], redacted);
  const outputDiagnostics = values.json
    ? showJson((text) => view.line(text), outputs, rest[0], redacted)
    : showText(view, outputs, rest[0], values.raw);
  view.diagnostics(outputDiagnostics);
  return hasErrors(outputDiagnostics) ? 1 : 0;
}

type Outputs = ReadonlyMap<string, OutputState>;

function showJson(
  line: (text: string) => void,
  outputs: Outputs,
  name: string | undefined,
  redacted: State | undefined,
): readonly Diagnostic[] {
  if (name === undefined) {
    const text = outputsJson(outputs);
    line(redacted === undefined ? text : redactedOutputsJson(text, redacted));
    return [];
  }
  const output = outputs.get(name);
  if (output === undefined) return [missing(name, outputs)];
  const text = outputJson(output);
  line(redacted === undefined ? text : redactedOutputJson(text, output.sensitive, redacted));
  return [];
}

function showText(
  view: View,
  outputs: Outputs,
  name: string | undefined,
  raw: boolean,
): readonly Diagnostic[] {
  if (outputs.size === 0) return [none()];
  if (name === undefined) {
    view.line(outputLines(outputs, view.style));
    return [];
  }
  const output = outputs.get(name);
  if (output === undefined) return [missing(name, outputs)];
  if (raw) return showRaw(view, name, output);
  view.line(valueText(output.value, view.style));
  return [];
}

function showRaw(view: View, name: string, { value }: OutputState): readonly Diagnostic[] {
  const summary = 'Unsupported value for raw output';
  const unsuitable = errorDiagnostic(
    summary,
    `The -raw option only supports strings, numbers, and boolean values, but output value ${JSON.stringify(name)} is ${friendlyName(value.type)}.\n\nUse the -json option for machine-readable representations of output values that have complex types.`,
  );
  if (!canConvert(value.type, STRING)) return [unsuitable];
  try {
    const text = convert(value, STRING);
    if (text.isNull) {
      return [
        errorDiagnostic(
          summary,
          `The value for output value ${JSON.stringify(name)} is null, so -raw mode cannot print it.`,
        ),
      ];
    }
    // Written without a line feed, so that a shell receives only the value; as bytes, also on a terminal.
    view.print(Buffer.from(text.asString()));
    return [];
  } catch (error) {
    if (error instanceof CtyError) return [unsuitable];
    throw error;
  }
}

function argumentProblems(parsed: OutputFlags): Diagnostic[] {
  const { values, rest } = parsed;
  const problems = [...flagProblems(parsed), ...redactedProblems(values)];
  if (rest.length > 1) {
    problems.push(
      errorDiagnostic(
        'Unexpected argument',
        'The output command expects exactly one argument with the name of an output variable or no arguments to show all outputs.',
      ),
    );
  }
  if (values.json && values.raw) {
    problems.push(
      errorDiagnostic(
        'Invalid output format',
        'The -raw and -json options are mutually-exclusive.',
      ),
    );
  } else if (values.raw && rest.length === 0) {
    problems.push(
      errorDiagnostic(
        'Output name required',
        'You must give the name of a single output value when using the -raw option.',
      ),
    );
  }
  return problems;
}

function none(): Diagnostic {
  return warningDiagnostic(
    'No outputs found',
    `The state file either has no outputs defined, or all the defined outputs are empty. Please define an output in your configuration with the \`output\` keyword and run \`${programCommand('refresh')}\` for it to become available. If you are using interpolation, please verify the interpolated value is not empty. You can use the \`${programCommand('console')}\` command to assist.`,
  );
}

function missing(name: string, outputs: Outputs): Diagnostic {
  return errorDiagnostic(
    `Output ${JSON.stringify(name)} not found`,
    `The output variable requested could not be found in the state file. If you recently added this to your configuration, be sure to run \`${programCommand('apply')}\`, since the state won't be updated with new output variables until that command is run.${didYouMeanClosest(name, outputs.keys())}`,
  );
}
