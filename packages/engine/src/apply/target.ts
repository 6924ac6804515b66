import type { InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type Scope } from '@terrane/hcl';
import {
  type Awaitable,
  chain,
  chainWith,
  type CheckedProvider,
  type Schema,
} from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { evaluateConditions } from '../evaluate/conditions.ts';
import type { ModuleCells, ResourceCell } from '../evaluate/module-cells.ts';
import { type MetaPart, providerMetaFor } from '../evaluate/provider-meta.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import type { PlannedChange } from '../objects/change.ts';
import { schemaOf } from '../objects/schema-of.ts';
import type { OpenResult } from '../session/provider-sessions.ts';
import type { ApplyRun } from './request.ts';

/** An instance that a step changes or checks. */
export interface Target {
  readonly addr: InstanceAddr;
  readonly node: ResourceNode;
  readonly resource: Resource;
  readonly schema: Schema;
  readonly provider: CheckedProvider;
  readonly providerAddr: ProviderConfigAddr;
  readonly cells: ModuleCells;
  readonly cell: ResourceCell;
  readonly scope: Scope;
  readonly planned: PlannedChange;
  readonly providerMeta?: Value;
}

/**
 * Returns the target of a step; undefined after errors, for instance of its provider. The result is immediate if the
 * provider is configured.
 */
export function targetOf(
  run: ApplyRun,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): Awaitable<Target | undefined> {
  const planned = run.changes.get(addr);
  if (planned?.generatedConfig !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Generated configuration is not in use yet',
        `The plan has a change for ${addr.text}, whose configuration was generated with the plan. Look through the generated file, make a new plan with it, and apply that.`,
      ),
    );
    return undefined;
  }
  const node = run.dependencies.node(addr.config.text);
  const cells = run.evaluation.find(addr.resource.module);
  const cell = cells?.resources.get(addr.resource.resource.text);
  if (planned === undefined || node === undefined || cells === undefined || cell === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Instances changed since the plan was made',
        `The plan has a change for ${addr.text}, but the configuration, evaluated with the final values, no longer declares it. Create a new plan and apply it.`,
      ),
    );
    return undefined;
  }
  const found: FoundInstance = { run, planned, node, cells, cell, diagnostics };
  return chainWith(run.sessions.open(planned.provider), found, targetIn);
}

/** An instance of the configuration with a planned change. */
interface FoundInstance {
  readonly run: ApplyRun;
  readonly planned: PlannedChange;
  readonly node: ResourceNode;
  readonly cells: ModuleCells;
  readonly cell: ResourceCell;
  readonly diagnostics: Diagnostic[];
}

/** Returns the target for an instance of the configuration, if its provider is configured. */
function targetIn(
  { run, planned, node, cells, cell, diagnostics }: FoundInstance,
  opened: OpenResult,
): Awaitable<Target | undefined> {
  if (opened.diagnostics.length > 0) diagnostics.push(...opened.diagnostics);
  const { provider } = opened;
  if (provider === undefined) return undefined;
  const { addr, provider: providerAddr } = planned;
  const target: { -readonly [K in keyof Target]: Target[K] } = {
    addr,
    node,
    resource: node.resource,
    schema: schemaOf(run.request, node),
    provider,
    providerAddr,
    cells,
    cell,
    scope: run.evaluation.scope(cells, repetitionOf(cell.expansion, addr.key)),
    planned,
  };
  const meta = providerMetaFor(run.evaluation, addr, providerAddr.provider, diagnostics);
  return chainWith(meta, target, withMeta);
}

function withMeta(
  target: { -readonly [K in keyof Target]: Target[K] },
  { providerMeta }: MetaPart,
): Target {
  if (providerMeta !== undefined) target.providerMeta = providerMeta;
  return target;
}

/** Evaluates the preconditions or the postconditions of an instance. */
export function checkConditions(
  run: ApplyRun,
  target: Target,
  kind: 'precondition' | 'postcondition',
  scope: Scope,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  const { resource, addr } = target;
  const rules = kind === 'precondition' ? resource.preconditions : resource.postconditions;
  if (rules.length === 0) return;
  const checked = { configAddr: addr.config.text, address: addr.text, book: run.evaluation.checks };
  return run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateConditions(kind, rules, checked, scope, 'error', pass),
  );
}

/** Evaluates the postconditions of an instance with its value. */
export function checkPostconditions(
  run: ApplyRun,
  target: Target,
  value: Value,
  diagnostics: Diagnostic[],
): Awaitable<undefined> {
  const { resource, cells, cell, addr } = target;
  if (resource.postconditions.length === 0) return undefined;
  const scope = run.evaluation.scope(cells, repetitionOf(cell.expansion, addr.key), value);
  const checking = checkConditions(run, target, 'postcondition', scope, diagnostics);
  return chain(checking, () => undefined);
}
