import type { Value } from '@terrane/cty';
import { type Diagnostic, evaluate, hasErrors, parseExpression, type Source } from '@terrane/hcl';
import { impliedType } from '@terrane/provider';
import { takeDeprecationsAt } from '../config/deprecations.ts';
import { referenceProblems } from '../config/check/static-reference.ts';
import type { Configuration, Schemas } from '../config/model.ts';
import { referencesInExpression } from '../lang/references.ts';
import { explainUnknownFunction } from '../lang/unknown-function.ts';
import type { FunctionSpec } from '@terrane/cty';
import type { State } from '../state/model.ts';
import { drive, type NodeOutcome } from './driver.ts';
import { Evaluation } from './evaluation.ts';
import { evaluateNamed, isNamed } from './named-values.ts';
import type { ProgramNode } from './node.ts';
import { priorCell } from './prior-cell.ts';
import { buildProgram } from './program.ts';

/** What answers questions about a configuration and its state. */
export interface ConsoleSettings {
  readonly configuration: Configuration;
  readonly schemas: Schemas;
  readonly state: State;
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  readonly variables: ReadonlyMap<string, Value>;
  readonly workspace: string;
  readonly cwd: string;
}

/** An open console: expressions of the root module are evaluated with what the state knows. */
export interface Console {
  readonly ask: (source: Source) => {
    readonly value?: Value;
    readonly diagnostics: readonly Diagnostic[];
  };
  readonly diagnostics: readonly Diagnostic[];
}

/** Works out the values of a configuration from the state; no provider is asked. */
export async function openConsoleOver(settings: ConsoleSettings): Promise<Console> {
  const { configuration, schemas, functions, cwd, workspace } = settings;
  const { program, diagnostics } = buildProgram(configuration, schemas);
  if (program === undefined) return { ask: () => ({ diagnostics }), diagnostics };
  const evaluation = new Evaluation(program, { purpose: 'prior', functions, cwd, workspace });
  const named = { inputs: settings.variables, conditionSeverity: undefined };
  const run = (node: ProgramNode): NodeOutcome => {
    const found: Diagnostic[] = [];
    if (isNamed(node)) {
      if (node.kind !== 'validation') evaluateNamed(evaluation, node, named, found);
    } else if (node.kind === 'resource') {
      const { provider, addr } = node.resource;
      const schema = schemas.resource(provider, addr.mode, addr.type);
      for (const cells of evaluation.instancesOf(node.module)) {
        if (schema === undefined) continue;
        const type = impliedType(schema.block);
        cells.resources.set(
          addr.text,
          priorCell(node.resource, cells.instance, type, settings.state),
        );
      }
    }
    return found;
  };
  const driven = await drive(program, { run, limit: 1 });
  const ask: Console['ask'] = (source) => {
    const parsed = parseExpression(source);
    if (parsed.expression === undefined || hasErrors(parsed.diagnostics))
      return { diagnostics: parsed.diagnostics };
    const { references, diagnostics: unreadable } = referencesInExpression(parsed.expression);
    const found = [...parsed.diagnostics, ...unreadable];
    for (const one of references) {
      found.push(...referenceProblems(one, configuration.root, schemas, {}));
    }
    if (hasErrors(found)) return { diagnostics: found };
    const scope = evaluation.scope(evaluation.root);
    const problems: Diagnostic[] = [];
    const value = evaluate(parsed.expression, scope, problems);
    for (const one of problems) found.push(explainUnknownFunction(one, scope));
    return hasErrors(found)
      ? { diagnostics: found }
      : { value: takeDeprecationsAt(value, () => {}), diagnostics: found };
  };
  return { ask, diagnostics: driven.diagnostics };
}
