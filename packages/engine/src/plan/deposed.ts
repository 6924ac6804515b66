import type { Diagnostic } from '@terrane/hcl';
import type { Awaitable } from '@terrane/provider';
import type { DeposedKey, StoredObject } from '../state/model.ts';
import { type Leaving, planDelete, planForget, planNothing } from '../objects/delete.ts';
import { forgetting, removedBlocksOf } from '../objects/forgetting.ts';
import { refreshStored, type Subject, upgradeStored } from '../objects/stored.ts';
import type { PlanRun } from './run.ts';

/** Plans to destroy, or to forget, the deposed objects of an instance. */
export function planDeposed(
  run: PlanRun,
  of: Omit<Leaving, 'deposed'> & Subject,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  if (!run.prior.hasDeposed(of.addr)) return;
  const deposed = run.prior.instance(of.addr)?.deposed;
  if (deposed === undefined) return;
  if (run.choices.targeting?.includesDeposed(of.addr) === false) return;
  return planDeposedObjects(run, of, deposed, diagnostics);
}

async function planDeposedObjects(
  run: PlanRun,
  of: Omit<Leaving, 'deposed'> & Subject,
  deposed: ReadonlyMap<DeposedKey, StoredObject>,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { modules } = run.evaluation.program.configuration;
  const removed = removedBlocksOf(modules.values(), of.addr);
  for (const [key, storedObject] of deposed) {
    const subject: Leaving = { ...of, deposed: key };
    let live = await upgradeStored(subject, storedObject, diagnostics);
    if (live === undefined) continue;
    if (run.choices.refresh && run.options.minimalRefresh !== true) {
      const { object, failed, deferred } = await refreshStored(run, subject, live, diagnostics);
      if (failed) continue;
      if (deferred !== undefined) {
        const waiting = await planDelete(run, subject, live, undefined, diagnostics);
        if (waiting !== undefined) run.deferrals.add(waiting, deferred);
        continue;
      }
      if (object === undefined) {
        run.adopt({ kind: 'drop', addr: of.addr, deposed: key });
        // The plan states that no further work is left for it.
        if (run.choices.mode !== 'refresh-only')
          run.deposedChanges.push(planNothing(run, subject, live));
        continue;
      }
      live = object;
    }
    if (live.stored !== storedObject) {
      run.adopt({ kind: 'put', addr: of.addr, deposed: key, object: live.stored });
    }
    if (run.choices.mode === 'refresh-only') continue;
    const forgetAction = forgetting(of.resource, live.stored, removed);
    const change =
      forgetAction === undefined
        ? await planDelete(run, subject, live, undefined, diagnostics)
        : planForget(run, subject, live, forgetAction.reason);
    if (change !== undefined) run.deposedChanges.push(change);
  }
}
