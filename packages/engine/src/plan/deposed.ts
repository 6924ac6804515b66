import type { Diagnostic } from '@terrane/hcl';
import { type Leaving, planDelete } from './delete.ts';
import type { PlanRun } from './run.ts';
import { refreshStored, type Subject, upgradeStored } from './stored.ts';

/** Plans to destroy what is left of replaced objects of an instance. */
export async function planDeposed(
  run: PlanRun,
  of: Omit<Leaving, 'deposed'> & Subject,
  diagnostics: Diagnostic[],
): Promise<void> {
  const deposed = run.prior.instance(of.addr)?.deposed;
  if (deposed === undefined || deposed.size === 0) return;
  for (const [key, stored] of deposed) {
    const subject: Leaving = { ...of, deposed: key };
    let live = await upgradeStored(subject, stored, diagnostics);
    if (live === undefined) continue;
    if (run.choices.refresh) {
      const { object, failed } = await refreshStored(run, subject, live, diagnostics);
      if (failed) continue;
      if (object === undefined) {
        run.adopt({ kind: 'drop', addr: of.addr, deposed: key });
        continue;
      }
      live = object;
    }
    if (live.stored !== stored) {
      run.adopt({ kind: 'put', addr: of.addr, deposed: key, object: live.stored });
    }
    if (run.choices.mode === 'refresh-only') continue;
    const change = await planDelete(run, subject, live, undefined, diagnostics);
    if (change !== undefined) run.deposedChanges.push(change);
  }
}
