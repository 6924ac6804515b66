import { Bug, CtyError, type Type } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { impliedType } from '@terrane/provider';
import type { InstanceKey } from '../addrs/instance-key.ts';
import { AbsResource, type InstanceAddr } from '../addrs/resource-addr.ts';
import { expandAction } from '../evaluate/action-config.ts';
import type { NodeOutcome } from '../evaluate/driver.ts';
import { evaluateExpansion } from '../evaluate/expansion.ts';
import { type ModuleCells, ResourceCell } from '../evaluate/module-cells.ts';
import { evaluateCheck, evaluateNamed } from '../evaluate/named-values.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import { providerInstanceFor } from '../evaluate/provider-instance.ts';
import { configureProvider } from '../evaluate/provider-node.ts';
import { keysOf } from '../evaluate/repetition.ts';
import { openEphemeral } from '../plan/ephemeral-resource.ts';
import { schemaOf } from '../plan/resource.ts';
import type { StoredObject } from '../state/model.ts';
import { decodeStored } from '../state/stored-value.ts';
import type { ApplyRun } from './request.ts';

/** Works out a node of the program with what is final by now. */
export function evaluateNode(
  run: ApplyRun,
  module: string,
  key: string,
): NodeOutcome | Promise<NodeOutcome> {
  const { evaluation, program, request } = run;
  const owner = program.configuration.modules.get(module);
  const node = owner === undefined ? undefined : program.find(owner, key);
  if (node === undefined)
    throw new Bug(`the plan has a step for ${module} ${key}, the configuration does not`);
  const diagnostics: Diagnostic[] = [];
  switch (node.kind) {
    case 'provider':
      return configureProvider(evaluation, run.sessions, node);
    case 'resource':
      return openResource(run, node);
    case 'check':
      for (const cells of evaluation.instancesOf(node.module))
        evaluateCheck(evaluation, node, cells, diagnostics);
      return diagnostics;
    case 'moduleEnd':
      return diagnostics;
    case 'action':
      expandAction(evaluation, node, diagnostics);
      return diagnostics;
    default:
      evaluateNamed(
        evaluation,
        node,
        { inputs: request.variables, conditionSeverity: 'error' },
        diagnostics,
      );
      return diagnostics;
  }
}

/** Makes the cells of a resource: what does not change has its value at once. */
async function openResource(run: ApplyRun, node: ResourceNode): Promise<NodeOutcome> {
  const { evaluation, plan, changes } = run;
  const { resource, module } = node;
  const type = impliedType(schemaOf(run.request, node).block);
  const diagnostics: Diagnostic[] = [];
  const conditions = resource.preconditions.length + resource.postconditions.length;
  for (const cells of evaluation.instancesOf(module)) {
    const expansion = evaluateExpansion(resource, evaluation.scope(cells), false, diagnostics);
    if (expansion === undefined) continue;
    const cell = new ResourceCell(resource, type, expansion);
    cells.resources.set(resource.addr.text, cell);
    const abs = AbsResource.of(cells.instance, resource.addr);
    if (conditions > 0) {
      evaluation.checks.declare('resource', abs.config.text);
      evaluation.checks.expect(
        abs.config.text,
        keysOf(expansion).map((key) => abs.instance(key).text),
      );
    }
    for (const key of keysOf(expansion)) {
      const addr = abs.instance(key);
      if (addr.resource.resource.mode === 'ephemeral') {
        await open(run, node, cells, cell, addr, diagnostics);
        continue;
      }
      const change = changes.get(addr);
      if (change?.action === 'no-op') {
        cell.set(key, change.after);
      } else if (change === undefined) {
        const stored = plan.priorState.instance(addr)?.current;
        if (stored !== undefined) setStored(cell, key, stored, type, addr, diagnostics);
        else if (plan.mode === 'normal' && plan.targets.length === 0)
          diagnostics.push(unplanned(addr.text));
      }
    }
  }
  return hasErrors(diagnostics) ? diagnostics : [];
}

/** Sets what the state holds of an instance that the plan leaves alone. */
function setStored(
  cell: ResourceCell,
  key: InstanceKey,
  stored: StoredObject,
  type: Type,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): void {
  try {
    cell.set(key, decodeStored(stored, type));
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Invalid resource instance data in state',
        `Instance ${addr.text} data could not be decoded from the state: ${error.message}.`,
        cell.resource.range,
      ),
    );
  }
}

async function open(
  run: ApplyRun,
  node: ResourceNode,
  cells: ModuleCells,
  cell: ResourceCell,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { resource } = node;
  const user = { cells, cell, key: addr.key };
  const providerAddr = providerInstanceFor(run.evaluation, user, diagnostics);
  if (providerAddr === undefined) return;
  const opened = await run.sessions.open(providerAddr);
  diagnostics.push(...opened.diagnostics);
  const { provider } = opened;
  if (provider === undefined) return;
  const schema = schemaOf(run.request, node);
  const common = { dependencies: [], createBeforeDestroy: false };
  const wanted = {
    addr,
    resource,
    schema,
    provider,
    providerAddr,
    cells,
    cell,
    key: addr.key,
    ...common,
  };
  await openEphemeral(run.evaluation, run.ephemerals, wanted, diagnostics);
}

/** The configuration now asks for an instance that the plan knows nothing of. */
function unplanned(address: string): Diagnostic {
  return errorDiagnostic(
    'Instances changed since the plan was made',
    `With the final values, the configuration asks for ${address}, which the plan does not have. Its "count" or "for_each" depends on something that changed while the plan was applied. Make a new plan and apply that.`,
  );
}
