import { unknownOf, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  evaluate,
  hasErrors,
  type Scope,
} from '@terrane/hcl';
import { type CheckedProvider, impliedType } from '@terrane/provider';
import { ProviderConfigAddr } from '../addrs/provider-source.ts';
import type { CheckRule } from '../config/model.ts';
import { resolveProvider } from '../config/resolve-provider.ts';
import { evaluateBody } from '../evaluate/body.ts';
import { evaluateMessage } from '../evaluate/conditions.ts';
import { drive, type NodeOutcome } from '../evaluate/driver.ts';
import { Evaluation } from '../evaluate/evaluation.ts';
import { errorCount, evaluateExpansion } from '../evaluate/expansion.ts';
import { type ModuleCells, ResourceCell } from '../evaluate/module-cells.ts';
import { evaluateNamed, isNamed } from '../evaluate/named-values.ts';
import type { CheckNode, ProgramNode, ProviderNode, ResourceNode } from '../evaluate/node.ts';
import { buildProgram } from '../evaluate/program.ts';
import { providerNodeAddr } from '../evaluate/provider-node.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import { loadFunctionLibraries } from '../lang/functions/libraries.ts';
import { functionTable } from '../lang/functions/table.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { CAPABILITIES, ProviderSessions } from '../session/provider-sessions.ts';
import { ephemeralProblems } from './ephemeral.ts';
import { schemaOf } from './resource.ts';
import type { RunSettings } from './settings.ts';

/**
 * Works through a configuration with nothing known of variables or resources, to find what is wrong
 * for every input. Providers are asked to validate but are not configured.
 */
export async function validateConfiguration(
  settings: Omit<RunSettings, 'variables'>,
): Promise<readonly Diagnostic[]> {
  await loadFunctionLibraries(settings.configuration.sources.values());
  const { program, diagnostics } = buildProgram(settings.configuration, settings.schemas);
  if (program === undefined) return diagnostics;
  const functions = functionTable(settings.functions, { baseDir: '.', pure: true });
  const { cwd, workspace, schemas } = settings;
  const sessions = new ProviderSessions(settings.providers, schemas);
  const evaluation = new Evaluation(program, { purpose: 'validate', functions, cwd, workspace, sessions });
  const validation = new Validation(evaluation, sessions, settings);
  const driven = await drive(program, {
    run: (node) => validation.run(node),
    limit: settings.parallelism,
    ...(settings.signal === undefined ? {} : { signal: settings.signal }),
  });
  await sessions.close();
  return driven.diagnostics;
}

const NO_INPUTS = { inputs: new Map<string, Value>(), conditionSeverity: 'error' } as const;

class Validation {
  readonly #evaluation: Evaluation;
  readonly #sessions: ProviderSessions;
  readonly #settings: Omit<RunSettings, 'variables'>;

  constructor(
    evaluation: Evaluation,
    sessions: ProviderSessions,
    settings: Omit<RunSettings, 'variables'>,
  ) {
    this.#evaluation = evaluation;
    this.#sessions = sessions;
    this.#settings = settings;
  }

  run(node: ProgramNode): NodeOutcome | Promise<NodeOutcome> {
    const found: Diagnostic[] = [];
    if (isNamed(node)) {
      evaluateNamed(this.#evaluation, node, NO_INPUTS, found);
      return found;
    }
    switch (node.kind) {
      case 'provider':
        return this.#provider(node);
      case 'resource':
        return this.#resource(node);
      case 'check':
        this.#check(node, found);
        return found;
      case 'moduleEnd':
        return found;
    }
  }

  /** Whether assertions hold is for a plan to see; their messages have to be well formed. */
  #check(node: CheckNode, diagnostics: Diagnostic[]): void {
    for (const cells of this.#evaluation.instancesOf(node.module)) {
      for (const rule of node.check.asserts) {
        evaluateMessage(rule.errorMessage, this.#evaluation.scope(cells), diagnostics);
      }
    }
  }

  async #provider(node: ProviderNode): Promise<NodeOutcome> {
    const address = providerNodeAddr(node);
    const schema = this.#settings.schemas.provider(address.provider);
    const [cells] = this.#evaluation.instancesOf(node.module);
    if (schema === undefined || cells === undefined) return [];
    const diagnostics: Diagnostic[] = [];
    const { block } = schema.provider;
    const config = evaluateBody(node.provider.body, block, this.#evaluation.scope(cells), diagnostics);
    if (hasErrors(diagnostics)) return diagnostics;
    const provider = await this.#sessions.started(address);
    const answer = await provider.validateProviderConfig({ config: config.unmarkDeep().value });
    const where = { body: node.provider.body, address: address.text };
    return [...diagnostics, ...diagnosticsOf(answer.diagnostics, where)];
  }

  async #resource(node: ResourceNode): Promise<NodeOutcome> {
    const { resource, module } = node;
    const diagnostics: Diagnostic[] = [];
    const { configuration } = this.#settings;
    const providerAddr = resolveProvider(configuration, module, resource.providerLocal);
    const provider = await this.#sessions.started(
      ProviderConfigAddr.of(providerAddr.module, providerAddr.provider, providerAddr.alias),
    );
    for (const cells of this.#evaluation.instancesOf(module)) {
      await this.#instance(node, cells, provider, diagnostics);
    }
    return diagnostics;
  }

  async #instance(
    node: ResourceNode,
    cells: ModuleCells,
    provider: CheckedProvider,
    diagnostics: Diagnostic[],
  ): Promise<void> {
    const { resource } = node;
    const schema = schemaOf(this.#settings, node);
    const type = impliedType(schema.block);
    const before = errorCount(diagnostics);
    const expansion = evaluateExpansion(resource, this.#evaluation.scope(cells), true, diagnostics);
    if (expansion === undefined || errorCount(diagnostics) > before) return;
    const repetition = repetitionOf(expansion, undefined);
    const scope = this.#evaluation.scope(cells, repetition);
    evaluateRules(resource.preconditions, scope, diagnostics);
    const withSelf = this.#evaluation.scope(cells, repetition, unknownOf(type));
    evaluateRules(resource.postconditions, withSelf, diagnostics);
    const config = evaluateBody(resource.body, schema.block, scope, diagnostics);
    if (errorCount(diagnostics) > before) return;
    diagnostics.push(...ephemeralProblems(config, schema.block, resource.body));
    if (errorCount(diagnostics) > before) return;
    const request = { type: resource.addr.type, config: config.unmarkDeep().value, address: resource.addr.text };
    const answer =
      resource.addr.mode === 'managed'
        ? await provider.validateResourceConfig({ ...request, capabilities: CAPABILITIES })
        : resource.addr.mode === 'data'
          ? await provider.validateDataSourceConfig(request)
          : await provider.validateEphemeralResourceConfig?.(request);
    const where = { body: resource.body, address: `${prefixOf(cells)}${resource.addr.text}` };
    diagnostics.push(...diagnosticsOf(answer?.diagnostics, where));
    // What others see of it is unknown, but of the right shape where there is just one.
    if (expansion.kind === 'single') {
      const cell = new ResourceCell(resource, type, expansion);
      cells.resources.set(resource.addr.text, cell);
      if (resource.addr.mode !== 'ephemeral') cell.set(undefined, unknownOf(type));
    }
  }
}

function prefixOf(cells: ModuleCells): string {
  return cells.instance.isRoot ? '' : `${cells.instance.text}.`;
}

/** The expressions of conditions have to be valid; what they give is for a plan to see. */
function evaluateRules(rules: readonly CheckRule[], scope: Scope, diagnostics: Diagnostic[]): void {
  for (const rule of rules) {
    evaluate(rule.condition, scope, diagnostics);
    evaluate(rule.errorMessage, scope, diagnostics);
  }
}
