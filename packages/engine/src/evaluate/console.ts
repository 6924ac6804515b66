import { AbsResource, type ModuleInstance, ROOT_INSTANCE } from '@terrane/addresses';
import type { FunctionSpec, Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  hasErrors,
  parseExpression,
  type Source,
} from '@terrane/hcl';
import { type Awaitable, chain, impliedType, isPromise } from '@terrane/provider';
import { referenceProblems } from '../config/check/static-reference.ts';
import { takeDeprecationsAt } from '../config/deprecations.ts';
import type { Configuration, Schemas } from '../config/model.ts';
import { referencesInExpression } from '../lang/references.ts';
import { explainUnknownFunction } from '../config/unknown-function.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import type { State } from '../state/model.ts';
import { type Completions, completionsFor } from './console-completion.ts';
import { drive, type NodeOutcome, evaluateExpressions } from './driver.ts';
import { didYouMeanClosest } from '../lang/did-you-mean.ts';
import { Evaluation } from './evaluation.ts';
import { namedReferenceProblems } from './named-references.ts';
import { evaluateNamed, isNamed } from './named-values.ts';
import type { ProgramNode } from './node.ts';
import { priorCell } from './prior-cell.ts';
import { buildProgram, buildProgramInSteps } from './program.ts';

/** The configuration, state and services with which the console evaluates expressions. */
export interface ConsoleSettings {
  readonly configuration: Configuration;
  readonly schemas: Schemas;
  readonly state: State;
  /** functions of the configuration */
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  /** functions of console expressions: includes `type`, but not `plantimestamp` */
  readonly consoleFunctions: ReadonlyMap<string, FunctionSpec>;
  readonly variables: ReadonlyMap<string, Value>;
  readonly workspace: string;
  readonly cwd: string;
  /** Providers, for their functions. */
  readonly sessions: ProviderSessions;
  /** the module instance in which expressions are evaluated; the root module by default */
  readonly scope?: ModuleInstance | undefined;
  /** called between declarations; a promise interrupts the evaluation, and abandons it if it rejects */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
}

/** The value of an expression, or the errors of its evaluation. */
export interface ConsoleAnswer {
  readonly value?: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** An open console: expressions of a module are evaluated with the known values. */
export interface Console {
  readonly ask: (source: Source) => Awaitable<ConsoleAnswer>;
  /** Returns the completions of a partially typed expression. */
  readonly completions: (typed: string) => Completions;
}

/** A console and the diagnostics of opening it; no console if errors prevent any evaluation. */
export interface OpenedConsole {
  readonly console?: Console;
  readonly diagnostics: readonly Diagnostic[];
}

/** Evaluates a configuration from the state, without provider requests about objects. */
export async function openConsoleOver(settings: ConsoleSettings): Promise<OpenedConsole> {
  const { configuration, schemas, functions, cwd, workspace, sessions } = settings;
  const { pause } = settings;
  const { program, diagnostics } =
    pause === undefined
      ? buildProgram(configuration, schemas)
      : await buildProgramInSteps(configuration, schemas, pause);
  if (program === undefined) return { diagnostics };
  const options = { purpose: 'prior', functions, cwd, workspace, sessions } as const;
  const evaluation = new Evaluation(program, options);
  const named = { inputs: settings.variables, conditionSeverity: 'error' } as const;
  const run = (node: ProgramNode): NodeOutcome | Promise<NodeOutcome> => {
    if (isNamed(node)) {
      // The configuration was not validated: invalid references are reported here.
      const problems = namedReferenceProblems(node, schemas);
      if (hasErrors(problems)) return problems;
      return evaluateExpressions(evaluation, (pass) => {
        pass.diagnostics.push(...problems);
        evaluateNamed(evaluation, node, named, pass);
      });
    }
    if (node.kind === 'resource') {
      const { provider, addr, count, forEach } = node.resource;
      const isRepeated = count !== undefined || forEach !== undefined;
      const stored = (module: ModuleInstance): ReadonlyMap<unknown, unknown> =>
        settings.state.resourceInstances(AbsResource.of(module, addr));
      const schema = schemas.resource(provider, addr.mode, addr.type);
      for (const cells of evaluation.instancesOf(node.module)) {
        if (schema === undefined) continue;
        const type = impliedType(schema.block);
        // Without stored instances, their number is unknown: the configuration may not be applied yet.
        if (isRepeated && stored(cells.instance).size === 0) continue;
        cells.setResource(
          addr.text,
          priorCell(node.resource, cells.instance, type, settings.state),
        );
      }
    }
    return [];
  };
  const driven = await drive(program, {
    run: (node) => {
      const paused = pause?.();
      return paused === undefined ? run(node) : paused.then(() => run(node));
    },
    limit: 1,
  });
  const { scope, consoleFunctions } = settings;
  const opened = consoleOver(evaluation, scope, schemas, consoleFunctions, sessions);
  return { ...opened, diagnostics: [...driven.diagnostics, ...opened.diagnostics] };
}

/**
 * Opens a console over the values of an evaluation, in a module instance. Values that were not evaluated are unknown.
 * Returns an error if the configuration has no such instance.
 */
export function consoleOver(
  evaluation: Evaluation,
  instance: ModuleInstance = ROOT_INSTANCE,
  schemas: Schemas,
  functions: ReadonlyMap<string, FunctionSpec>,
  sessions: ProviderSessions,
): OpenedConsole {
  const cells = evaluation.find(instance);
  if (cells === undefined) return { diagnostics: [noSuchScope(evaluation, instance)] };
  const { module } = cells;
  const { scope, evaluate: evaluateAll } = evaluation.later(functions, sessions, cells);
  const ask: Console['ask'] = (source) => {
    const parsed = parseExpression(source);
    if (parsed.expression === undefined || hasErrors(parsed.diagnostics))
      return { diagnostics: parsed.diagnostics };
    const { references, diagnostics: unreadable } = referencesInExpression(parsed.expression);
    const diagnostics = [...parsed.diagnostics, ...unreadable];
    for (const reference of references) {
      diagnostics.push(...referenceProblems(reference, module, schemas, {}));
    }
    if (hasErrors(diagnostics)) return { diagnostics };
    const problems: Diagnostic[] = [];
    const { expression } = parsed;
    const answer = (value: Value): ConsoleAnswer => {
      for (const problem of problems) diagnostics.push(explainUnknownFunction(problem, scope));
      return hasErrors(diagnostics)
        ? { diagnostics }
        : { value: takeDeprecationsAt(value, () => {}), diagnostics };
    };
    return chain(
      evaluateAll(problems, (pass) => evaluate(expression, scope, pass.diagnostics)),
      answer,
    );
  };
  const completions = (typed: string): Completions =>
    completionsFor(typed, {
      module,
      functions: functions.keys(),
      valueOf: (source) => {
        const answer = ask(source);
        return isPromise(answer) ? undefined : answer.value;
      },
    });
  return { console: { ask, completions }, diagnostics: [] };
}

function noSuchScope(evaluation: Evaluation, { text }: ModuleInstance): Diagnostic {
  const instanceNames: string[] = [];
  for (const module of evaluation.program.configuration.modules.values())
    for (const { instance } of evaluation.instancesOf(module)) instanceNames.push(instance.text);
  return errorDiagnostic(
    'Module instance not found',
    `The configuration has no module instance ${text}, so expressions cannot be evaluated in it.${didYouMeanClosest(text, instanceNames)}`,
  );
}
