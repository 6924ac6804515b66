import type { Value } from '@terrane/cty';
import type { Configuration, Inspector, LockGuard, RunSettings } from '@terrane/engine';
import { forManyListeners } from '@terrane/host';
import { functionPorts } from '../load-project.ts';
import { type Project, workingDirectoryOf } from '../project.ts';
import type { Providers } from '../providers.ts';
import { provisionerPort } from '../provisioner-port.ts';
import type { RunPorts } from '../run-ports.ts';

/** The engine settings of an operation. */
export type OperationSettings = RunSettings & { readonly inspector?: Inspector };

/** Builds the engine settings that are common to all operations. */
export function runSettings(
  project: Project,
  configuration: Configuration,
  providers: Providers,
  workspace: string,
  parallelism: number,
  ports: RunPorts & { readonly lock?: LockGuard | undefined },
  variables: ReadonlyMap<string, Value>,
): OperationSettings {
  const { host } = project;
  const { signal, abort, lock, inspector } = ports;
  return {
    configuration,
    schemas: providers,
    providers,
    functions: functionPorts(project),
    provisioners: provisionerPort(host),
    workspace,
    cwd: workingDirectoryOf(project),
    variables,
    parallelism,
    emit: ports.emit,
    ...(signal === undefined ? {} : { signal: forManyListeners(signal) }),
    ...(abort === undefined ? {} : { abort: forManyListeners(abort) }),
    ...(lock === undefined ? {} : { lock }),
    ...(inspector === undefined ? {} : { inspector }),
    now: () => host.clock.now(),
    monotonicMs: () => host.clock.monotonicMs(),
    sleep: (ms, until) => host.clock.sleep(ms, until),
  };
}
