import type { Diagnostic } from '@terrane/hcl';
import type { Project, RunPorts } from '@terrane/ops';
import { cliConfigOf } from '@terrane/ops/cli-config';
import { type Checker, openPolicies } from '@terrane/policy';

/**
 * Opens the policies and checkers of the CLI configuration, which judge every plan and apply: also those of an agent,
 * which cannot override them. Errors mean that nothing may be planned or applied.
 */
export async function policyPorts(
  project: Project,
  signal: AbortSignal | undefined,
): Promise<{
  readonly ports: Pick<RunPorts, 'inspector'>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { policies: paths, policyCheckers } = cliConfigOf(project);
  const checkers = [...policyCheckers].map(([name, checker]): Checker => ({ name, ...checker }));
  if (paths.length + checkers.length === 0) return { ports: {}, diagnostics: [] };
  const { inspector, diagnostics } = await openPolicies(project, {
    paths,
    checkers,
    ...(signal === undefined ? {} : { signal }),
  });
  return { ports: inspector === undefined ? {} : { inspector }, diagnostics };
}
