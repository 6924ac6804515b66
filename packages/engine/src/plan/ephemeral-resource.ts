import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { plannedDataResource } from '@terrane/provider';
import { evaluateBody } from '../evaluate/body.ts';
import { evaluateConditions } from '../evaluate/conditions.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { errorCount } from '../evaluate/expansion.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import type { Ephemerals } from '../session/ephemerals.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import type { WantedInstance } from './managed.ts';
import { whereabouts } from './stored.ts';

/**
 * Opens an ephemeral resource for the rest of the run. With a configuration that is not wholly known
 * nothing is opened, and what is not known of the result is unknown. All of it is ephemeral.
 */
export async function openEphemeral(
  evaluation: Evaluation,
  ephemerals: Ephemerals,
  wanted: WantedInstance,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { addr, resource, schema, provider, cells, cell, key } = wanted;
  const before = errorCount(diagnostics);
  const repetition = repetitionOf(cell.expansion, key);
  const scope = evaluation.scope(cells, repetition);
  const checked = { configAddr: addr.config.text, address: addr.text, book: evaluation.checks };
  evaluateConditions('precondition', resource.preconditions, checked, scope, 'error', diagnostics);
  if (errorCount(diagnostics) > before) return;
  const config = evaluateBody(resource.body, schema.block, scope, addr.text, diagnostics);
  if (errorCount(diagnostics) > before) return;
  const { value: plain, paths } = config.unmarkDeepWithPaths();
  const { type } = resource.addr;
  if (!plain.isWhollyKnown()) {
    cell.set(key, plannedDataResource(schema.block, plain).markWithPaths(paths).mark('ephemeral'));
    return;
  }
  const request = { type, config: plain, address: addr.text };
  const validated = await provider.validateEphemeralResourceConfig?.(request);
  const where = whereabouts(wanted);
  const objections = diagnosticsOf(validated?.diagnostics, where);
  diagnostics.push(...objections);
  if (hasErrors(objections)) return;
  const answer = await provider.openEphemeralResource?.(request);
  const said = diagnosticsOf(answer?.diagnostics, where);
  diagnostics.push(...said);
  if (answer === undefined || hasErrors(said)) return;
  ephemerals.hold({
    provider,
    type,
    address: addr.text,
    where,
    ...(answer.private === undefined ? {} : { private: answer.private }),
  });
  const value = answer.result.markWithPaths(paths).mark('ephemeral');
  cell.set(key, value);
  const withSelf = evaluation.scope(cells, repetition, value);
  evaluateConditions(
    'postcondition',
    resource.postconditions,
    checked,
    withSelf,
    'error',
    diagnostics,
  );
}
