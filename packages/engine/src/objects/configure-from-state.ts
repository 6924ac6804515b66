import type { ProviderConfigAddr } from '@terrane/addresses';
import type { Diagnostic } from '@terrane/hcl';
import { impliedType } from '@terrane/provider';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Program } from '../evaluate/program.ts';
import type { ProgramNode, ResourceNode } from '../evaluate/node.ts';
import type { State } from '../state/model.ts';
import { declareProvider, providerNodeAddr } from '../evaluate/provider-node.ts';
import { drive, type NodeOutcome, evaluateExpressions } from '../evaluate/driver.ts';
import { evaluateNamed, isNamed } from '../evaluate/named-values.ts';
import { expandAction } from '../evaluate/action-config.ts';
import { priorCell } from '../evaluate/prior-cell.ts';
import { referencesInExpression } from '../lang/references.ts';
import type { RunSettings } from './settings.ts';
import { openEphemerals, type OpeningRun } from './ephemeral-resource.ts';
import { schemaOf } from './schema-of.ts';

/**
 * Evaluates the blocks of the used providers and the nodes `additional`, with their dependencies. References to resources
 * have the stored values. Opens ephemeral resources if needed.
 */
export async function configureFromState(
  run: Pick<OpeningRun, 'evaluation' | 'sessions' | 'ephemerals' | 'pool'>,
  state: State,
  used: ReadonlySet<ProviderConfigAddr>,
  settings: RunSettings,
  additional: ReadonlySet<ProgramNode> = new Set(),
): Promise<readonly Diagnostic[]> {
  const { evaluation, sessions } = run;
  const { program } = evaluation;
  const { schemas, parallelism } = settings;
  const needed = neededByDestroying(program, used, additional);
  if (needed.size === 0) return [];
  const inputs = { inputs: settings.variables, conditionSeverity: undefined };
  const work = (node: ProgramNode): NodeOutcome | Promise<NodeOutcome> => {
    if (node.kind === 'provider') return declareProvider(evaluation, sessions, node);
    if (node.kind === 'resource') {
      if (node.resource.addr.mode === 'ephemeral')
        return openEphemerals({ ...run, schemas, parallelism }, node);
      recallResource(evaluation, node, state, settings);
    } else if (node.kind === 'action') {
      return evaluateExpressions(evaluation, (pass) => expandAction(evaluation, node, pass));
    } else if (isNamed(node)) {
      return evaluateExpressions(evaluation, (pass) =>
        evaluateNamed(evaluation, node, inputs, pass),
      );
    }
    return [];
  };
  const driven = await drive(program, {
    run: work,
    excluded: (node) => !needed.has(node),
    limit: settings.parallelism,
  });
  return driven.diagnostics;
}

function recallResource(
  evaluation: Evaluation,
  node: ResourceNode,
  state: State,
  settings: RunSettings,
): void {
  const schema = schemaOf(settings, node);
  for (const cells of evaluation.instancesOf(node.module)) {
    cells.setResource(
      node.resource.addr.text,
      priorCell(node.resource, cells.instance, impliedType(schema.block), state),
    );
  }
}

/**
 * Returns the dependencies of the used provider configurations, of `additional`, and of `prevent_destroy`.
 */
function neededByDestroying(
  program: Program,
  used: ReadonlySet<ProviderConfigAddr>,
  additional: ReadonlySet<ProgramNode>,
): ReadonlySet<ProgramNode> {
  const { nodes } = program;
  const needed = new Set<ProgramNode>();
  const pending: ProgramNode[] = nodes.filter(
    (node) =>
      additional.has(node) || (node.kind === 'provider' && used.has(providerNodeAddr(node))),
  );
  for (const node of nodes) {
    if (node.kind !== 'resource' || node.resource.preventDestroyExpression === undefined) continue;
    const { references } = referencesInExpression(node.resource.preventDestroyExpression);
    for (const reference of references) pending.push(...program.nodesOf(node.module, reference));
  }
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (needed.has(node)) continue;
    needed.add(node);
    for (const id of program.dependencies.edgesOf(node.id)) {
      const dependency = nodes[id];
      if (dependency !== undefined && dependency.kind !== 'validation') pending.push(dependency);
    }
  }
  return needed;
}
