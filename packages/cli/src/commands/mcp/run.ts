import { TERRANE_VERSION } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { lazyHistoryObserver } from '@terrane/history/observer';
import { type AgentActivity, serveOverStdio } from '@terrane/mcp';
import type { CommandContext } from '../../command.ts';
import { flagProblems, tooManyArguments } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { View } from '../../views/view.ts';
import type { McpFlags } from './flags.ts';

/** Serves an agent until its client closes the input. */
export async function runMcp(parsed: McpFlags, context: CommandContext): Promise<number> {
  const view = new View(context);
  const problems = flagProblems(parsed);
  if (parsed.rest.length > 0) problems.push(tooManyArguments('Expected no arguments.'));
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('mcp');
    return 1;
  }
  const project = projectOf(context);
  const { files } = project.host;
  const record = async (activity: AgentActivity): Promise<void> => {
    await files.makeDirectory(project.dataDirectory);
    const path = `${project.dataDirectory}/agents.jsonl`;
    const log = await files.openAppend(path, { mode: 0o600 });
    try {
      await log.write(Buffer.from(`${JSON.stringify(activity)}\n`));
    } finally {
      await log.close();
    }
  };
  const stopper = new AbortController();
  const removeListener = context.world.onInterrupt(() => stopper.abort());
  try {
    await serveOverStdio(
      project,
      {
        version: TERRANE_VERSION,
        record,
        observe: ({ name, version }) => lazyHistoryObserver({ actor: `agent:${name}/${version}` }),
      },
      { input: process.stdin, output: process.stdout },
      stopper.signal,
    );
  } finally {
    removeListener();
  }
  return 0;
}
