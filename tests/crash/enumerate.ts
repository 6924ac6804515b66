import { createHash } from 'node:crypto';
import { END_WITHIN, type MemoryDisk, SHORT_WRITE, type Survival } from '@terrane/testkit';
import {
  copyOf,
  type Cut,
  type Moment,
  prepare,
  PROVIDER_ENDS,
  recoveryProblems,
  run,
  type Scene,
} from './crash-run.ts';
import type { Workload } from './workloads.ts';

/** What came of trying every place where something can go wrong. */
export interface Enumerated {
  /** faults that were tried, and different scenes that they left, from which a later run took up */
  readonly faults: number;
  readonly recoveries: number;
  readonly problems: readonly string[];
}

/** A way for a run to go wrong at one of its moments. */
interface Way {
  readonly name: string;
  /** whether there is anything to go wrong in this way at a moment */
  readonly applies: (moment: Moment) => boolean;
  readonly cut: (at: number) => Cut;
  /** what the disk keeps */
  readonly survivals: readonly Survival[];
}

const isWrite = ({ what, isCall }: Moment): boolean => !isCall && /^(?:write|create) /.test(what);
const isSync = ({ what }: Moment): boolean => /^sync(?:Directory)? /.test(what);

const WAYS: readonly Way[] = [
  {
    name: 'the process or the machine ends',
    applies: () => true,
    cut: (at) => (_moment, index) => (index === at ? END_WITHIN : undefined),
    survivals: ['everything', 'nothing', 'names', 'torn'],
  },
  {
    name: 'the disk is full once',
    applies: isWrite,
    cut: (at) => (_moment, index) => (index === at ? 'ENOSPC' : undefined),
    survivals: ['everything'],
  },
  {
    name: 'the disk is full from then on',
    applies: isWrite,
    cut: (at) => (moment, index) => (index >= at && isWrite(moment) ? 'ENOSPC' : undefined),
    survivals: ['everything', 'torn'],
  },
  {
    name: 'half is written, once',
    applies: ({ what }) => what.startsWith('write '),
    cut: (at) => (_moment, index) => (index === at ? SHORT_WRITE : undefined),
    survivals: ['everything'],
  },
  {
    name: 'syncing fails once',
    applies: isSync,
    cut: (at) => (_moment, index) => (index === at ? 'EIO' : undefined),
    survivals: ['everything', 'nothing'],
  },
  {
    name: 'syncing fails from then on',
    applies: isSync,
    cut: (at) => (moment, index) => (index >= at && isSync(moment) ? 'EIO' : undefined),
    survivals: ['everything', 'torn'],
  },
  {
    name: 'renaming or removing fails from then on',
    applies: ({ what }) => /^(?:rename|remove) /.test(what),
    cut: (at) => (moment, index) =>
      index >= at && /^(?:rename|remove) /.test(moment.what) ? 'EIO' : undefined,
    survivals: ['everything'],
  },
  {
    name: 'the provider ends, and the run goes on',
    applies: ({ isCall }) => isCall,
    cut: (at) => (_moment, index) => (index === at ? PROVIDER_ENDS : undefined),
    survivals: ['everything'],
  },
];

const JOURNAL = '/project/.terraform.tfstate.journal';

/**
 * Lets a workload go wrong in every way at every moment, one after the other, and has later runs take up from what
 * is left. `every`: only at every so many moments.
 */
export async function enumerate(workload: Workload, every = 1): Promise<Enumerated> {
  const start = await prepare(workload);
  const whole = copyOf(start);
  const moments = await run(workload, whole);
  const seen = new Set<string>();
  const problems: string[] = [];
  let faults = 0;
  const recover = async (scene: Scene, label: string): Promise<void> => {
    const name = nameOf(scene);
    if (seen.has(name)) return;
    seen.add(name);
    const found = await recoveryProblems(workload, scene);
    problems.push(...found.map((problem) => `${workload.name}: ${label}: ${problem}`));
  };
  await recover(whole, 'nothing goes wrong');
  for (const [which, way] of WAYS.entries()) {
    for (let at = which % every; at < moments.length; at += every) {
      const moment = moments[at];
      if (moment === undefined || !way.applies(moment)) continue;
      const left = copyOf(start);
      const label = `${way.name} at ${at} (${moment.what})`;
      faults++;
      await run(workload, left, way.cut(at));
      for (const survival of way.survivals)
        await recover(copyOf(left, survival), `${label}, ${survival} survives`);
      if (which > 0 || at % 3 !== 0) continue;
      for (const [what, damaged] of damages(left))
        await recover(damaged, `${label}, and the journal ${what}`);
    }
  }
  return { faults, recoveries: seen.size, problems };
}

/** The scene with a journal whose end looks as it may after a crash: nothing that was recorded is gone. */
function damages(left: Scene): readonly (readonly [string, Scene])[] {
  const journal = left.disk.names.get(JOURNAL)?.content;
  if (journal === undefined) return [];
  const last = lastRecord(journal);
  const ends: readonly (readonly [string, Uint8Array])[] = [
    ['has its last record twice', last],
    ['has half of its last record again', last.subarray(0, last.length >> 1)],
    ['ends with zeros', new Uint8Array(64)],
  ];
  return ends.map(([what, end]) => {
    const scene = copyOf(left);
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

/** What makes two scenes the same for whoever comes next: bytes, names, and what exists. */
function nameOf({ disk, world }: Scene): string {
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
