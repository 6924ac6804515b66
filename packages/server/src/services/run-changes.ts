import type { Selectable } from 'kysely';
import type { RunTable } from '../database/schema.ts';
import type { RunTrigger, Services } from './services.ts';

/** Reports a change of a run to the listeners, and wakes whoever waits for the run. */
export async function runChanged(
  services: Services,
  run: Selectable<RunTable>,
  trigger: RunTrigger,
): Promise<void> {
  services.wakeups.announce(`run ${run.id}`);
  for (const listener of services.runListeners) await listener(services, run, trigger);
}
