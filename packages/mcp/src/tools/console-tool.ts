import {
  type Expression,
  functionCalls,
  hasErrors,
  parseExpression,
  Source,
  variables,
} from '@terrane/hcl';
import { DEFAULT_STATE_OPTIONS, type Project, SILENT, withConsole } from '@terrane/ops';
import { valueText } from '@terrane/render';
import { failure, plainProblems, type ToolOutcome } from '../result.ts';
import { isSecretValue, stateSecrets } from '../state-secrets.ts';
import { argumentsOf, textOf, type Tool } from '../tool.ts';

/**
 * Functions that an expression of an agent may not call: they read files, evaluate texts as templates, which may call
 * such functions, or remove the sensitivity of a value. Functions of providers may do anything.
 */
const REFUSED =
  /^(core::)?(file\w*|templatefile|templatestring|pathexpand|abspath|nonsensitive|ephemeralasnull)$/;

/** A tool that evaluates expressions without access to files and sensitive values. */
export function consoleTool(project: Project): Tool {
  return {
    name: 'console',
    title: 'Evaluate an expression',
    description:
      'Evaluates an expression with the values in the state. Functions that read files and functions of providers are not available. Expressions that compute with sensitive values are refused.',
    schema: argumentsOf({ expression: textOf('an expression of the configuration language') }, [
      'expression',
    ]),
    isReadOnly: true,
    run: async (args) => await answer(project, args.text('expression') ?? ''),
  };
}

async function answer(project: Project, text: string): Promise<ToolOutcome> {
  const { expression, diagnostics } = parseExpression(new Source('<expression>', text));
  if (expression === undefined || hasErrors(diagnostics))
    return failure('The expression is invalid.', diagnostics);
  const refused = refusedFunction(expression);
  if (refused !== undefined) return failure(`The function ${refused} is not available to agents.`);
  const secrets = await stateSecrets(project);
  let outcome: ToolOutcome = failure('The console could not be opened.');
  const request = {
    state: { ...DEFAULT_STATE_OPTIONS, lock: false, readOnly: true },
    variables: [],
  };
  const problems = await withConsole(
    project,
    request,
    SILENT,
    async ({ console: evaluator, diagnostics: openDiagnostics }) => {
      if (evaluator === undefined) {
        outcome = failure('The console could not be opened.', openDiagnostics);
        return;
      }
      // A computation with a secret could reveal it bit by bit, also by failing.
      if (expression.kind !== 'scopeTraversal') {
        for (const { range } of variables(expression)) {
          const part = text.slice(range.start, range.end);
          const { value } = await evaluator.ask(new Source('<expression>', part));
          if (value !== undefined && !isSecretValue(value, secrets)) continue;
          outcome = failure(
            value === undefined
              ? `${part} cannot be evaluated.`
              : `${part} contains sensitive values. Refer to an attribute that is not sensitive, without computing with it.`,
          );
          return;
        }
      }
      const { value, diagnostics: evaluationDiagnostics } = await evaluator.ask(
        new Source('<expression>', text),
      );
      outcome =
        value === undefined
          ? failure('The expression cannot be evaluated.', evaluationDiagnostics)
          : {
              data: {
                value: valueText(secrets.marked(value), { color: false, width: 0 }),
                diagnostics: plainProblems(evaluationDiagnostics),
              },
            };
    },
  );
  return hasErrors(problems) ? failure('The console could not be opened.', problems) : outcome;
}

function refusedFunction(expression: Expression): string | undefined {
  return functionCalls(expression).find(
    ({ name }) => REFUSED.test(name) || (name.includes('::') && !name.startsWith('core::')),
  )?.name;
}
