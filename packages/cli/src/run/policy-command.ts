import { hasErrors } from '@terrane/hcl';
import type { Project } from '@terrane/ops';
import type { CommandContext } from '../command.ts';
import type { ParsedFlags } from '../flags/parse-flags.ts';
import type { View } from '../views/view.ts';
import { flagProblems } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';

/** A command over policy files, with valid flags. */
export interface PolicyCommand {
  readonly project: Project;
  /** paths of policies; the working directory if none are given */
  readonly paths: readonly string[];
  /** the parts of the host that policies use */
  readonly ports: Pick<Project['host'], 'files' | 'environment' | 'clock' | 'random'>;
}

/** Prepares a command over policy files; undefined after reporting invalid flags. */
export function policyCommand(
  name: string,
  parsed: ParsedFlags<{ readonly policies: readonly string[] }>,
  context: CommandContext,
  view: View,
): PolicyCommand | undefined {
  const problems = flagProblems(parsed);
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt(name);
    return undefined;
  }
  const paths = [...parsed.values.policies, ...parsed.rest];
  const project = projectOf(context);
  const { files, environment, clock, random } = project.host;
  return {
    project,
    paths: paths.length === 0 ? ['.'] : paths,
    ports: { files, environment, clock, random },
  };
}
