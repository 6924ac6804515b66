import { END_WITHIN, SHORT_WRITE, type Survival } from '@terrane/testkit';
import { type Cut, type Moment, PROVIDER_ENDS } from './crash-run.ts';

/** A way for a run to go wrong at one of its moments. */
export interface Way {
  readonly name: string;
  /** whether there is anything to go wrong in this way at a moment */
  readonly applies: (moment: Moment) => boolean;
  readonly cut: (at: number) => Cut;
  /** what the disk keeps */
  readonly survivals: readonly Survival[];
}

const isWrite = ({ what, isCall }: Moment): boolean => !isCall && /^(?:write|create) /.test(what);
const isSync = ({ what }: Moment): boolean => /^sync(?:Directory)? /.test(what);

/** Every way there is. */
export const WAYS: readonly Way[] = [
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
