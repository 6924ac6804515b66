// Terrane in the process of the tests: a case takes a fraction of the time that starting the program for each command does.
import { runWithin } from 'terrane/testing/with-providers';
import type { Program } from './program.ts';

/** Terrane, run in this process by the name of Terraform, as which it prints the same advice. */
export const TERRANE_WITHIN: Program = {
  name: 'terrane',
  command: 'terrane',
  inPlace: async (args, { cwd, env, input }) =>
    await runWithin(args, {
      directory: cwd,
      environment: env,
      input,
      providers: new Map(),
      calledAs: 'terraform',
    }),
};
