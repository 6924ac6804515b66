import { ProviderConfigAddr, unkeyedInstance } from '@terrane/addresses';
import { object } from '@terrane/cty';
import { functionTable, loadFunctionLibraries } from '@terrane/functions';
import { childScope, type Diagnostic, hasErrors, type Scope } from '@terrane/hcl';
import { createPool, type Pool } from '@terrane/host';
import {
  type Answer,
  type Awaitable,
  chain,
  chainWith,
  type CheckedProvider,
} from '@terrane/provider';
import type { CheckMemo } from '../config/check/check-memo.ts';
import { checkStatic } from '../config/check/check-static.ts';
import type {
  CheckedAction,
  CheckedBlock,
  CheckedResource,
  CheckSettings,
  CheckVisitor,
} from '../config/check/check-visitor.ts';
import type { EvaluationPass } from '../config/evaluation-pass.ts';
import { resolveProvider } from '../config/resolve-provider.ts';
import { takeBodyDeprecations } from '../evaluate/body.ts';
import { CheckBook } from '../evaluate/check-book.ts';
import { evaluateConditions, evaluateValidations } from '../evaluate/conditions.ts';
import { evaluateExpansion } from '../evaluate/expansion.ts';
import { checkListArgument } from '../evaluate/list-argument.ts';
import { evaluateImports, importedResource } from '../evaluate/imports.ts';
import { buildProgram, buildProgramInSteps } from '../evaluate/program.ts';
import { FunctionResults } from '../evaluate/function-results.ts';
import { ProviderFunctions } from '../evaluate/provider-functions.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { CAPABILITIES, ProviderSessions } from '../session/provider-sessions.ts';
import { actionDiagnostics, actionWhereabouts } from '../session/action-diagnostics.ts';
import type { Repetition } from '../evaluate/repetition.ts';
import type { RunSettings } from '../objects/settings.ts';
import { insideConfig, listRequest } from './list-request.ts';
import { generationProblem, importsIntoMissingModules } from './import.ts';
import { ephemeralProblems } from './ephemeral.ts';

/** Settings of a validation. */
export type ValidationSettings = Omit<RunSettings, 'variables'> & {
  /** true: providers do not validate, so that none is started */
  readonly withoutProviders?: boolean;
  /** see {@link CheckSettings.pause} */
  readonly pause?: CheckSettings['pause'];
  /** see {@link CheckSettings.memo} */
  readonly memo?: CheckMemo;
};

/**
 * Validates a configuration with unknown variables and resources, to find errors that occur for every input. Providers
 * validate but are not configured.
 */
export async function validateConfiguration(
  settings: ValidationSettings,
): Promise<readonly Diagnostic[]> {
  const { configuration, schemas, cwd, workspace, memo } = settings;
  const ports = settings.functions;
  const functions = memo === undefined ? ports : { ...ports, files: memo.observe(ports.files) };
  await loadFunctionLibraries(configuration.sources.values());
  const sessions = new ProviderSessions(settings.providers, schemas);
  try {
    return await checkStatic(configuration, {
      schemas,
      functions: functionTable(functions, { baseDir: '.', pure: true }),
      providerFunctions: new ProviderFunctions(sessions, schemas, new FunctionResults()),
      cwd,
      workspace,
      visitor: visitorOf(settings, sessions),
      ...(settings.constants === undefined ? {} : { constants: settings.constants }),
      ...(settings.pause === undefined ? {} : { pause: settings.pause }),
      ...(memo === undefined ? {} : { memo }),
    });
  } finally {
    await sessions.close();
  }
}

function visitorOf(settings: ValidationSettings, sessions: ProviderSessions): CheckVisitor {
  const validation = new Validation(settings, sessions);
  if (settings.withoutProviders !== true) return validation;
  const { begin, repetition, listArgument, validations, precondition, imports } = validation;
  return { begin, repetition, listArgument, validations, precondition, imports };
}

/** Reports diagnostics but no check results, which are part of a plan. */
function withoutEffects(diagnostics: Diagnostic[]): EvaluationPass {
  return { diagnostics, commit: () => undefined };
}

/** Validation that needs values and providers. */
class Validation implements CheckVisitor {
  readonly #settings: ValidationSettings;
  readonly #sessions: ProviderSessions;
  readonly #pool: Pool;
  readonly #checked = { configAddr: '', address: '', book: new CheckBook() };

  constructor(settings: ValidationSettings, sessions: ProviderSessions) {
    this.#settings = settings;
    this.#sessions = sessions;
    this.#pool = createPool(settings.parallelism);
  }

  readonly begin: NonNullable<CheckVisitor['begin']> = async (isOrdered) => {
    const { configuration, schemas, pause } = this.#settings;
    const astray = importsIntoMissingModules(configuration);
    if (astray.length > 0 || isOrdered) return astray;
    const { diagnostics } =
      pause === undefined
        ? buildProgram(configuration, schemas)
        : await buildProgramInSteps(configuration, schemas, pause);
    return diagnostics;
  };

  readonly repetition: NonNullable<CheckVisitor['repetition']> = (at, scope, diagnostics) => {
    evaluateExpansion(at, scope, true, diagnostics);
  };

  readonly listArgument: NonNullable<CheckVisitor['listArgument']> = (
    name,
    value,
    expression,
    { warnsFor: module },
    diagnostics,
  ) => {
    checkListArgument(name, value, { expression, module, allowUnknown: true }, diagnostics);
  };

  readonly validations: NonNullable<CheckVisitor['validations']> = (
    { validations },
    at,
    scope,
    diagnostics,
  ) => {
    evaluateValidations(validations, this.#checked, scope, at, true, withoutEffects(diagnostics));
  };

  readonly precondition: NonNullable<CheckVisitor['precondition']> = (rule, scope, diagnostics) => {
    const pass = withoutEffects(diagnostics);
    evaluateConditions('outputPrecondition', [rule], this.#checked, scope, 'error', pass);
  };

  readonly imports: NonNullable<CheckVisitor['imports']> = (module, block, scope, diagnostics) => {
    const { configuration, schemas } = this.#settings;
    const target = importedResource({ module, block });
    const owner = configuration.modules.get(target.module.text);
    const resource = owner?.resources.get(target.resource.text);
    const problem = resource === undefined ? generationProblem(target, block) : undefined;
    if (problem !== undefined) {
      diagnostics.push(problem);
      return;
    }
    const source = resource?.provider ?? block.provider;
    evaluateImports(
      [block],
      {
        resource,
        identity: schemas.provider(source)?.identities?.[target.resource.type],
        instance: unkeyedInstance(module.path),
        scope: (repetition) => withEach(scope, repetition),
        allowUnknown: true,
      },
      diagnostics,
    );
  };

  readonly provider = async (
    { module, block, value }: CheckedBlock,
    diagnostics: Diagnostic[],
  ): Promise<void> => {
    const address = ProviderConfigAddr.of(
      module.path,
      module.providerSource(block.name),
      block.alias,
    );
    const response = await this.#pool.run(async () => {
      const provider = await this.#sessions.started(address);
      return await provider.validateProviderConfig({ config: value.unmarkDeep().value });
    });
    const where = { body: block.body, address: address.text };
    takeBodyDeprecations(value, block.body, module, address.text, diagnostics);
    diagnostics.push(...diagnosticsOf(response.diagnostics, where));
  };

  readonly resource = (checked: CheckedResource, diagnostics: Diagnostic[]): Awaitable<void> => {
    const { module, resource, schema, value } = checked;
    const before = diagnostics.length;
    const { mode, text } = resource.addr;
    const address = module.path.isRoot ? text : `${module.path.text}.${text}`;
    if (mode !== 'ephemeral' && mode !== 'list') {
      const problems = ephemeralProblems(value, schema.block, resource.body, address);
      if (problems.length > 0) diagnostics.push(...problems);
    }
    if (hasErrors(diagnostics, before)) return;
    takeBodyDeprecations(value, resource.body, module, address, diagnostics);
    const resolved = resolveProvider(this.#settings.configuration, module, resource.providerLocal);
    const response = this.#pool.start(() =>
      chainWith(this.#sessions.started(resolved), checked, validateResource),
    );
    const report = ({ diagnostics: reported }: Answer): void => {
      if (reported !== undefined && reported.length > 0)
        diagnostics.push(...diagnosticsOf(reported, { body: resource.body, address }));
    };
    return chain(response, report);
  };

  readonly action = async (
    { module, action, caller, schema, value }: CheckedAction,
    diagnostics: Diagnostic[],
  ): Promise<void> => {
    const before = diagnostics.length;
    const where = actionWhereabouts(action, module.path, caller?.addr.text);
    const body = action.config ?? action.block;
    diagnostics.push(...ephemeralProblems(value, schema.block, body, where.address));
    if (hasErrors(diagnostics, before)) return;
    takeBodyDeprecations(value, body, module, where.address, diagnostics);
    const resolved = resolveProvider(this.#settings.configuration, module, action.providerLocal);
    const response = await this.#pool.run(async () => {
      const provider = await this.#sessions.started(resolved);
      return await provider.validateActionConfig({
        type: action.addr.type,
        config: value.unmarkDeep().value,
        address: where.address,
      });
    });
    diagnostics.push(...actionDiagnostics(response.diagnostics, where));
  };
}

/** Makes the provider of a resource validate its configuration. */
function validateResource(
  { resource, schema, value }: CheckedResource,
  provider: CheckedProvider,
): Awaitable<Answer> {
  const { mode, type, text: address } = resource.addr;
  const config = value.unmarkDeep().value;
  switch (mode) {
    case 'managed':
      return provider.validateResourceConfig({
        type,
        config,
        address,
        capabilities: CAPABILITIES,
      });
    case 'data':
      return provider.validateDataSourceConfig({ type, config, address });
    case 'ephemeral':
      return provider.validateEphemeralResourceConfig({ type, config, address });
    case 'list': {
      const request = listRequest({ type, config, address }, schema);
      return chain(provider.validateListResourceConfig(request), insideConfig);
    }
  }
}

/** Returns the scope with the known parts of `each`. */
function withEach(scope: Scope, { eachKey, eachValue }: Repetition): Scope {
  if (eachKey === undefined || eachValue === undefined) return scope;
  return childScope(scope, new Map([['each', object({ key: eachKey, value: eachValue })]]));
}
