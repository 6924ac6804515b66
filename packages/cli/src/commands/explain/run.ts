import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { explain, SILENT } from '@terrane/ops';
import { explanationsJson, explanationsText } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import type { ExplainFlags } from './flags.ts';
import { operationView } from '../../views/operation-view.ts';
import { View } from '../../views/view.ts';
import { inputAllowed, runOperation } from '../../run/operation.ts';
import {
  operationArguments,
  tooManyArguments,
  withSnapshot,
} from '../../run/operation-arguments.ts';

/** Explains the planned action on an object. */
export async function runExplain(parsed: ExplainFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const view = new View(context);
  const { request, diagnostics: argumentProblems } = await operationArguments(parsed, context);
  const [address, path] = rest;
  const problems = [...argumentProblems, ...misuse(parsed)];
  if (address === undefined || hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('explain');
    return 1;
  }
  const input = inputAllowed(context, values.input && !values.json);
  const planView = operationView(context, false);
  return await runOperation(
    context,
    planView,
    { input, color: view.style.color },
    async (project, ports) => {
      const quiet = { ...ports, emit: SILENT.emit };
      const { result, diagnostics } = await explain(
        project,
        { address, plan: path ?? withSnapshot(request, parsed) },
        quiet,
      );
      // Programs receive only the explanation.
      if (!values.json || hasErrors(diagnostics)) view.diagnostics(diagnostics);
      if (result === undefined) return 1;
      if (values.json) view.line(explanationsJson(result));
      else view.print(explanationsText(result, view.style));
      return hasErrors(diagnostics) ? 1 : 0;
    },
  );
}

/** Returns errors for missing, surplus or conflicting arguments. */
function misuse({ rest, occurrences }: ExplainFlags): readonly Diagnostic[] {
  if (rest.length === 0) {
    return [
      errorDiagnostic(
        'No address given',
        'Give the address of what is to be explained, such as aws_instance.web, module.net, output.ip or aws_instance.web.ami.',
      ),
    ];
  }
  if (rest.length > 2) {
    return [tooManyArguments('Expected an address, and the path of a saved plan or nothing.')];
  }
  const deciding = occurrences.find(({ name }) => DECIDING.has(name));
  if (rest.length < 2 || deciding === undefined) return [];
  return [
    errorDiagnostic(
      'Incompatible command line options',
      `The -${deciding.name} option decides what is planned, and a saved plan is planned already. Leave one of the two out.`,
    ),
  ];
}

const DECIDING: ReadonlySet<string> = new Set([
  'destroy',
  'invoke',
  'refresh-only',
  'refresh',
  'replace',
  'target',
  'target-file',
  'exclude',
  'exclude-file',
  'var',
  'var-file',
]);
