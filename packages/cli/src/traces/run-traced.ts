import { SHOW_HELP, type Command, type CommandContext } from '../command.ts';
import { openTraces } from './open-traces.ts';

/** Runs a command within a span. Arguments may contain secrets and are not recorded. */
export async function runTraced(
  command: Command,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { world } = context;
  const traces = await openTraces(world);
  if ('error' in traces) {
    world.stderr.write(`Could not initialize telemetry: ${traces.error}\n`);
    return 1;
  }
  try {
    const attributes = { 'terrane.command': command.name };
    return await traces.within(`terrane ${command.name}`, attributes, async (span) => {
      const code = await command.run(args, { ...context, world: { ...world, traces } });
      span.set('process.exit.code', code === SHOW_HELP ? 1 : code);
      if (code === 1 || code === SHOW_HELP) span.fail();
      return code;
    });
  } finally {
    const problem = await traces.end();
    if (problem !== undefined) {
      world.stderr.write(`\nTraces of this run could not be sent: ${problem}\n`);
    }
  }
}
