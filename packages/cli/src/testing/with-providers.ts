import { processWorld } from '../process-world.ts';
import { runProgram } from '../run-program.ts';
import type { World } from '../world.ts';

/** Runs the program in this process, with more providers in it. Gives its exit code. */
export async function runWithProviders(
  args: readonly string[],
  providers: NonNullable<World['providers']>,
): Promise<number> {
  const world = processWorld();
  const code = await runProgram([...args], { ...world, providers });
  world.stdin.close();
  return code;
}
