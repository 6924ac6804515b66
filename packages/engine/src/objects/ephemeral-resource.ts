import { UNKNOWN } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import type { Pool } from '@terrane/host';
import { plannedDataResource } from '@terrane/provider';
import type { Schemas } from '../config/model.ts';
import { evaluateBody } from '../evaluate/body.ts';
import { evaluateConditions } from '../evaluate/conditions.ts';
import type { NodeOutcome } from '../evaluate/driver.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { errorCount } from '../evaluate/expansion.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import { providerInstanceFor } from '../evaluate/provider-instance.ts';
import { keysOf, repetitionOf } from '../evaluate/repetition.ts';
import { eachIn } from '../session/each.ts';
import type { Ephemerals } from '../session/ephemerals.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import { commitExpansion, expandResource } from './expand-resource.ts';
import type { WantedInstance } from './wanted-instance.ts';
import type { ObjectRun } from './run.ts';
import { whereabouts } from './stored.ts';

/** The dependencies of opening the instances of an ephemeral resource. */
export interface OpeningRun {
  readonly evaluation: Evaluation;
  readonly sessions: ProviderSessions;
  readonly ephemerals: Ephemerals;
  readonly schemas: Schemas;
  readonly pool: Pool;
  readonly parallelism: number;
}

/** Opens every instance of an ephemeral resource in every instance of its module. */
export async function openEphemerals(run: OpeningRun, node: ResourceNode): Promise<NodeOutcome> {
  const { evaluation, sessions } = run;
  const { resource } = node;
  const schema = run.schemas.resource(resource.provider, 'ephemeral', resource.addr.type);
  if (schema === undefined) return 'failed';
  const diagnostics: Diagnostic[] = [];
  const wanted: Pick<WantedInstance, 'addr' | 'cells' | 'cell' | 'key'>[] = [];
  const options = { deferring: evaluation.deferring };
  const expanded = await evaluation.evaluate(diagnostics, (pass) =>
    expandResource(evaluation, node, schema, options, pass.diagnostics),
  );
  commitExpansion(evaluation, node, expanded);
  for (const { address, cells, cell, isUnknown } of expanded) {
    for (const key of keysOf(cell.expansion)) {
      if (isUnknown) cell.set(key, UNKNOWN.mark('ephemeral'));
      else wanted.push({ addr: address.instance(key), cells, cell, key });
    }
  }
  if (hasErrors(diagnostics) || wanted.length === 0) return diagnostics;
  let failed = false;
  await eachIn(run.pool, run.parallelism, wanted, async (instance) => {
    // Errors of one instance do not prevent opening the others.
    const problems: Diagnostic[] = [];
    const providerAddr = await evaluation.evaluate(problems, (pass) =>
      providerInstanceFor(evaluation, instance, pass.diagnostics),
    );
    if (providerAddr !== undefined) {
      const { provider, diagnostics: openProblems } = await sessions.open(providerAddr);
      problems.push(...openProblems);
      if (provider === undefined) failed = true;
      else
        await openEphemeral(
          run,
          { resource, schema, provider, providerAddr, ...instance },
          problems,
        );
    }
    diagnostics.push(...problems);
  });
  return failed && !hasErrors(diagnostics) ? 'failed' : diagnostics;
}

/**
 * Opens an instance of an ephemeral resource, which remains open until its last use. If the configuration is not wholly
 * known, it is not opened, and unset parts of the result are unknown. The result is ephemeral.
 */
export async function openEphemeral(
  run: Pick<OpeningRun, 'evaluation' | 'ephemerals' | 'sessions'> &
    Partial<Pick<ObjectRun, 'deferrals'>>,
  instance: Omit<WantedInstance, 'dependencies' | 'createBeforeDestroy'>,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { evaluation, ephemerals, sessions } = run;
  const { addr, resource, schema, provider, cells, cell, key } = instance;
  const before = errorCount(diagnostics);
  const repetition = repetitionOf(cell.expansion, key);
  const scope = evaluation.scope(cells, repetition);
  const checked = { configAddr: addr.config.text, address: addr.text, book: evaluation.checks };
  const marked = await evaluation.evaluate(diagnostics, (pass) => {
    const rules = resource.preconditions;
    evaluateConditions('precondition', rules, checked, scope, 'error', pass);
    if (hasErrors(pass.diagnostics)) return undefined;
    return evaluateBody(resource.body, schema.block, scope, addr.text, pass.diagnostics);
  });
  if (marked === undefined || errorCount(diagnostics) > before) return;
  const { value: config, paths } = marked.unmarkDeepWithPaths();
  if (!config.isWhollyKnown()) {
    cell.set(key, plannedDataResource(schema.block, config).markWithPaths(paths).mark('ephemeral'));
    ephemerals.defer(addr);
    return;
  }
  const whereaboutsOfInstance = whereabouts(instance);
  const expire = (): void => cell.expire(addr.text);
  // Closing the object takes the provider that opened it.
  const closed = sessions.hold(instance.providerAddr.configuration);
  const subject = { addr, provider, config, where: whereaboutsOfInstance, expire, closed };
  const opened = await ephemerals.open(subject, diagnostics);
  if (opened === undefined || opened === 'deferred') closed();
  if (opened === undefined) return;
  if (opened === 'deferred') {
    cell.set(key, UNKNOWN.mark('ephemeral'));
    if (evaluation.deferring) run.deferrals?.note(addr.config);
    return;
  }
  const value = opened.markWithPaths(paths).mark('ephemeral');
  cell.set(key, value);
  const withSelf = evaluation.scope(cells, repetition, value);
  const rules = resource.postconditions;
  await evaluation.evaluate(diagnostics, (pass) =>
    evaluateConditions('postcondition', rules, checked, withSelf, 'error', pass),
  );
}
