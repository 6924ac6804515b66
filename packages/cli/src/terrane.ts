// The program: the smallest start that can decide what to load.
import { setMaxListeners } from 'node:events';
import { processWorld } from './process-world.ts';
import { runProgram } from './run-program.ts';

async function main(): Promise<void> {
  // Concurrent operations listen for interrupts separately, which is not a leak.
  setMaxListeners(0);
  const world = processWorld();
  const args = process.argv.slice(2);
  let code: number;
  try {
    code = await runProgram(args, world);
  } catch (error) {
    const { unexpectedError } = await import('./unexpected-error.ts');
    world.stderr.write(unexpectedError(error));
    code = 1;
  }
  world.stdin.close();
  // Set before the wait: a second interrupt may end the process meanwhile.
  process.exitCode = code;
  const failures = await world.outputFailures();
  if (failures.length === 0) return;
  const { reportOutputFailures } = await import('./output-failure.ts');
  process.exitCode = reportOutputFailures(failures, args, code, {
    'standard output': world.stdout,
    'standard error': world.stderr,
  });
}

// All work is done when the event loop is empty: leaving here saves freeing every object of the heap.
process.once('beforeExit', () => process.exit());
void main();
