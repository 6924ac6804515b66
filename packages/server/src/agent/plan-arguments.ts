import type { AgentJob } from '../services/jobs.ts';
import { EVENTS_PATH } from './execute.ts';
import { POLICIES } from './job-directory.ts';

/** Returns the command line of the plan of a job, which is written to the file `.terrane/NAME`. */
export function planArguments(
  { run: { options, isDestroy }, policies }: AgentJob,
  name: string,
  hasEvents: boolean,
): readonly string[] {
  const texts = (option: string): readonly string[] => {
    const value = options[option];
    return Array.isArray(value) ? value.map(String) : [];
  };
  return [
    'plan',
    '-input=false',
    '-no-color',
    '-detailed-exitcode',
    `-out=.terrane/${name}`,
    '-var-file=.terrane/run.tfvars',
    ...(policies === undefined
      ? []
      : // The server decides about failures, as they may be overridden.
        [`-policies=${POLICIES}`, '-policy-report-only']),
    ...(hasEvents ? [`-json-into=${EVENTS_PATH}`] : []),
    ...(isDestroy ? ['-destroy'] : []),
    ...(options['refresh-only'] === true ? ['-refresh-only'] : []),
    ...(options['refresh'] === false ? ['-refresh=false'] : []),
    ...texts('target-addrs').map((address) => `-target=${address}`),
    ...texts('replace-addrs').map((address) => `-replace=${address}`),
    ...texts('invoke-action-addrs').map((address) => `-invoke=${address}`),
    ...(options['allow-config-generation'] === true
      ? ['-generate-config-out=generated_resources.tf']
      : []),
  ];
}
