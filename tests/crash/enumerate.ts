import { createHash } from 'node:crypto';
import type { MemoryDisk } from '@terrane/testkit';
import { copyOf, prepare, recoveryProblems, run, type Scene } from './crash-run.ts';
import { WAYS } from './ways.ts';
import type { Workload } from './workloads.ts';

/** The result of enumerating every place of a fault. */
export interface Enumerated {
  /** faults that were tried, and distinct disk states that they left, from which a later run recovered */
  readonly faults: number;
  readonly recoveries: number;
  readonly problems: readonly string[];
}

const JOURNAL = '/project/.terraform.tfstate.journal';

/**
 * Injects every kind of fault at every moment of a workload, one at a time, and runs the commands that recover.
 * `every`: only every nth moment.
 */
export async function enumerate(workload: Workload, every = 1): Promise<Enumerated> {
  const start = await prepare(workload);
  const complete = copyOf(start);
  const moments = await run(workload, complete);
  const seen = new Set<string>();
  const problems: string[] = [];
  let faults = 0;
  const recover = async (scene: Scene, label: string): Promise<void> => {
    const name = nameOf(scene);
    if (seen.has(name)) return;
    seen.add(name);
    const newProblems = await recoveryProblems(workload, scene);
    problems.push(...newProblems.map((problem) => `${workload.name}: ${label}: ${problem}`));
  };
  await recover(complete, 'nothing goes wrong');
  for (const [which, way] of WAYS.entries()) {
    for (let at = which % every; at < moments.length; at += every) {
      const moment = moments[at];
      if (moment === undefined || !way.applies(moment)) continue;
      const cutScene = copyOf(start);
      const label = `${way.name} at ${at} (${moment.what})`;
      faults++;
      await run(workload, cutScene, way.cut(at));
      for (const survival of way.survivals)
        await recover(copyOf(cutScene, survival), `${label}, ${survival} survives`);
      if (which > 0 || at % 3 !== 0) continue;
      for (const [what, damaged] of damages(cutScene))
        await recover(damaged, `${label}, and the journal ${what}`);
    }
  }
  return { faults, recoveries: seen.size, problems };
}

/** The scene with a journal whose end looks as it may after a crash: nothing that was recorded is gone. */
function damages(faultyScene: Scene): readonly (readonly [string, Scene])[] {
  const journal = faultyScene.disk.names.get(JOURNAL)?.content;
  if (journal === undefined) return [];
  const last = lastRecord(journal);
  const ends: readonly (readonly [string, Uint8Array])[] = [
    ['has its last record twice', last],
    ['has half of its last record again', last.subarray(0, last.length >> 1)],
    ['ends with zeros', new Uint8Array(64)],
  ];
  return ends.map(([what, end]) => {
    const scene = copyOf(faultyScene);
    const node = scene.disk.names.get(JOURNAL);
    if (node !== undefined) node.content = Buffer.concat([journal, end]);
    return [what, scene];
  });
}

/** The last whole record of a journal: its length stands before it, after one line of text. */
function lastRecord(journal: Uint8Array): Uint8Array {
  const view = new DataView(journal.buffer, journal.byteOffset, journal.byteLength);
  let at = journal.indexOf(10) + 1;
  let last = journal.subarray(at, at);
  while (at + 8 <= journal.length) {
    const end = at + 8 + view.getUint32(at, true);
    if (end > journal.length) break;
    last = journal.subarray(at, end);
    at = end;
  }
  return last;
}

/** Returns the identity of a scene for the next run: bytes, names, and existing objects. */
export function nameOf({ disk, world }: Scene): string {
  const hash = createHash('sha256');
  for (const [path, content] of contents(disk))
    hash.update(`${path}\0${content.length}\0`).update(content);
  hash.update(JSON.stringify([[...world.objects.values()], [...world.failing], [...world.stuck]]));
  return hash.digest('hex');
}

function contents(disk: MemoryDisk): readonly (readonly [string, Uint8Array])[] {
  return [...disk.names]
    .map(([path, { content }]) => [path, content] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
