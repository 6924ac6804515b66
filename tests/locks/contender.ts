// One of many processes that count in one state: lock, read, write a number one higher, unlock, again and again. What
// it is to do stands as JSON in its argument; what it has seen it says as JSON on its standard output.
import { mkdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { localStateFiles } from '@terrane/backends';
import { number } from '@terrane/cty';
import { createStateManager, nextStateFile, StateDraft, stateOf } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { nodeHost } from '@terrane/host';
import type { Report, Task } from './lock-task.ts';
import { openTarget } from './open-target.ts';

const host = nodeHost();
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the harness that says it
const task = JSON.parse(process.argv[2] ?? '') as Task;
const folder = `${task.folder}/${process.pid}`;
mkdirSync(folder);

function check(what: string, diagnostics: readonly Diagnostic[]): void {
  if (!hasErrors(diagnostics)) return;
  throw new Error(`${what}: ${diagnostics.map((d) => `${d.summary}: ${d.detail}`).join('; ')}`);
}

async function count(seen: number[]): Promise<number> {
  const storage = await openTarget(task.target);
  const manager = createStateManager({
    host,
    storage,
    journalPath:
      task.target.kind === 'local'
        ? localStateFiles(task.target.path, process).journal
        : `${folder}/journal`,
  });
  let refused = 0;
  while (seen.length < task.times) {
    const asked = performance.now();
    const locked = await manager.lock({ operation: 'count' }, 0);
    const { session } = locked;
    if (session === undefined) {
      const text = locked.diagnostics.map(({ detail }) => detail).join('\n');
      // Any other result is a failure.
      if (!/Lock Info|unavailable|already|exists|about to lock/.test(text)) throw new Error(text);
      refused += 1;
      // A storage that is slow is asked less often, within limits, so that whoever has the lock gets on.
      const fair = (performance.now() - asked) * task.processes;
      const pause = Math.min(Math.max(task.pauseMs, fair), task.pauseMs * 4);
      await host.clock.sleep(pause * (0.5 + Math.random()));
      continue;
    }
    // A witness that has nothing to do with the lock: only one process can have made this file.
    const witness = await open(task.witness, 'wx').catch(() => undefined);
    if (witness === undefined) throw new Error('two processes hold the lock');
    const { state: stored, diagnostics } = await session.read();
    check('read', diagnostics);
    if (stored === undefined) throw new Error('read: no state');
    const { file } = stored;
    const state = stateOf(file);
    const value = (state.outputs.get('count')?.value.asInt() ?? 0) + 1;
    const draft = new StateDraft(state);
    draft.apply({ kind: 'outputs', values: new Map([['count', number(value)]]) });
    check('write', await stored.write(nextStateFile(file, draft.freeze(), host.random.uuid)));
    seen.push(value);
    await witness.close();
    await rm(task.witness);
    check('unlock', await session.release());
  }
  return refused;
}

const seen: number[] = [];
try {
  const report: Report = { refused: await count(seen), seen };
  process.stdout.write(JSON.stringify(report));
} catch (error) {
  // The increments are counted, even if something fails later.
  const failed: Report = { seen, refused: 0, error: String(error) };
  process.stdout.write(JSON.stringify(failed));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
