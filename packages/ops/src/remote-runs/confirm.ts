import type { RemoteRun } from '@terrane/backends';
import type { Question } from '../ask.ts';
import { type RemoteContext, RemoteProblem, Stopped } from './remote-context.ts';

const POLL_MS = 3000;

/** A decision that was made on the server instead of here. */
type Elsewhere = 'approved' | 'overridden' | 'discarded';

/**
 * Prompts for confirmation of a run. A decision on the server meanwhile ends the prompt. A rejected run is discarded
 * and ends with a {@link RemoteProblem}.
 */
export async function confirm(
  context: RemoteContext,
  question: Question,
  run: RemoteRun,
  keyword: 'yes' | 'override',
): Promise<'here' | 'elsewhere'> {
  const { stop, ports } = context;
  const responded = new AbortController();
  const signal = AbortSignal.any([stop, responded.signal]);
  const watching = watch(context, run, keyword, signal);
  // The result of the slower promise is ignored.
  watching.catch(() => undefined);
  let first: { readonly elsewhere: Elsewhere } | { readonly answer: string };
  try {
    first = await Promise.race([watching, asking(context, question, signal)]);
  } finally {
    responded.abort();
  }
  if ('elsewhere' in first) {
    context.line(`[reset][yellow]${first.elsewhere} using the UI or API[reset]`);
    if (first.elsewhere === 'discarded') throw discardedProblem(context);
    return 'elsewhere';
  }
  if (stop.aborted) throw new Stopped();
  if (first.answer === keyword) return 'here';
  const now = await context.current(run);
  if (now.isDiscardable) {
    const subject = context.request.mode === 'destroy' ? 'destroy' : 'apply';
    await context.ask(`Failed to discard ${subject}`, context.server.act(run.id, 'discard'));
  }
  throw discardedProblem(context);

  async function asking(
    { stop: stopped }: RemoteContext,
    prompt: Question,
    until: AbortSignal,
  ): Promise<{ readonly answer: string }> {
    const answer = await ports.ask.input(prompt, until);
    if (stopped.aborted) throw new Stopped();
    if ('text' in answer) return { answer: answer.text };
    throw RemoteProblem.of(`Error asking ${prompt.id}: ${answer.problem}`);
  }
}

async function watch(
  context: RemoteContext,
  run: RemoteRun,
  keyword: 'yes' | 'override',
  signal: AbortSignal,
): Promise<{ readonly elsewhere: Elsewhere }> {
  for (;;) {
    await context.project.host.clock.sleep(POLL_MS, signal);
    const now = await context.ask('Failed to retrieve run', context.server.run(run.id));
    signal.throwIfAborted();
    const isOpen =
      keyword === 'yes'
        ? now.isConfirmable
        : now.status === 'policy_override' ||
          (context.isCloud && now.status === 'post_plan_awaiting_decision');
    if (isOpen) continue;
    if (now.status === 'discarded') return { elsewhere: 'discarded' };
    return { elsewhere: keyword === 'yes' ? 'approved' : 'overridden' };
  }
}

function discardedProblem({ request }: RemoteContext): RemoteProblem {
  return RemoteProblem.of(request.mode === 'destroy' ? 'Destroy discarded.' : 'Apply discarded.');
}
