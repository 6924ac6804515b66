// The program: the smallest start that can decide what to load.
import { setMaxListeners } from 'node:events';
import { processWorld } from './process-world.ts';
import { runProgram } from './run-program.ts';

async function main(): Promise<void> {
  // What is under way listens for interrupts, each for itself, which is no leak.
  setMaxListeners(0);
  const world = processWorld();
  // Whoever reads our output may stop reading; that is no failure of ours to report.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(1);
    throw error;
  });
  try {
    process.exitCode = await runProgram(process.argv.slice(2), world);
  } catch (error) {
    const { unexpectedError } = await import('./unexpected-error.ts');
    world.stderr.write(unexpectedError(error));
    process.exitCode = 1;
  }
  world.stdin.close();
}

void main();
