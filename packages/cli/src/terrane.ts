#!/usr/bin/env node
// The executable: the smallest start that can decide what to load.
import { processWorld } from './process-world.ts';
import { runProgram } from './run-program.ts';

const world = processWorld();
// Whoever reads our output may stop reading; that is no failure of ours to report.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(1);
  throw error;
});
process.exitCode = await runProgram(process.argv.slice(2), world);
world.stdin.close();
