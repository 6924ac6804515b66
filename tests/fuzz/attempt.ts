import { Chance } from './chance.ts';
import { chooseTarget, type Fault } from './targets.ts';

/** One run of the fuzzer: which target it was, and what is wrong. */
export interface Attempt {
  readonly target: string;
  readonly fault: Fault;
}

/** Does the run of a seed. Whatever the program throws is a fault: it answers with diagnostics. */
export async function attempt(seed: number, names: readonly string[]): Promise<Attempt> {
  const chance = new Chance(seed);
  const target = chooseTarget(chance, names);
  try {
    return { target: target.name, fault: await target.run(chance) };
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { target: target.name, fault };
  }
}
