import type { CrashWorld } from './crash-world.ts';

/** A workload whose run is interrupted. */
export interface Workload {
  readonly name: string;
  /** what is applied before, one after the other */
  readonly before: readonly string[];
  /** what the run applies; undefined: it destroys everything */
  readonly text: string | undefined;
  /** what goes wrong in the run that ends the preparations, and in the run itself */
  readonly arrange?: (world: CrashWorld, when: 'before' | 'run') => void;
  /** what the run does, where its text does not tell */
  readonly mode?: 'normal' | 'destroy';
  /** nothing secret may ever be readable in what it stores */
  readonly isSealed?: boolean;
}

/** A resource named for itself. */
export function resource(type: string, name: string, ...lines: readonly string[]): string {
  const body = [`name = "${name}"`, ...lines].map((line) => `  ${line}\n`).join('');
  return `resource "crash_${type}" "${name}" {\n${body}}\n`;
}

const FIRST = 'lifecycle {\n    create_before_destroy = true\n  }';
const SECRET = 'secret = "marker-of-a-secret"';

const CREATED = [
  resource('thing', 'base', 'kind = "1"', 'size = 1', SECRET),
  resource('named', 'base', 'kind = "1"', 'size = 1'),
  resource('keyed', 'base', 'kind = "1"', 'size = 1'),
  resource('thing', 'late', 'kind = crash_named.base.made'),
  resource('named', 'late', 'kind = "1"', 'depends_on = [crash_keyed.base]'),
  resource('keyed', 'late', 'kind = "1"', 'depends_on = [crash_thing.base]'),
  resource('named', 'half', 'kind = "1"'),
  resource('thing', 'refused', 'kind = "1"'),
  'resource "crash_named" "many" {\n  count = 3\n  name  = "many${count.index}"\n  kind  = "1"\n}\n',
  'output "made" {\n  value = crash_thing.late.made\n}\n',
].join('');

const BEFORE = (kind: string): string =>
  [
    ...['thing', 'named', 'keyed'].flatMap((type) => [
      resource(type, `${type}_updated`, 'kind = "1"', 'size = 1'),
      resource(type, `${type}_replaced`, `kind = "${kind}"`),
      resource(type, `${type}_first`, `kind = "${kind}"`, FIRST),
      resource(type, `${type}_deposed`, `kind = "${kind}"`, FIRST),
      resource(type, `${type}_removed`, 'kind = "1"'),
      resource(type, `${type}_kept`, 'kind = "1"', SECRET),
    ]),
  ].join('');

const AFTER = [
  ...['thing', 'named', 'keyed'].flatMap((type) => [
    resource(type, `${type}_updated`, 'kind = "1"', 'size = 2'),
    resource(type, `${type}_replaced`, 'kind = "3"'),
    resource(type, `${type}_first`, 'kind = "3"', FIRST),
    resource(type, `${type}_deposed`, 'kind = "2"', FIRST),
    resource(type, `${type}_kept`, 'kind = "1"', SECRET),
    resource(type, `${type}_added`, 'kind = "1"', `depends_on = [crash_${type}.${type}_first]`),
  ]),
].join('');

/** Leaves a deposed object of each type: the new objects exist, and deleting the old ones fails. */
function leaveDeposed(world: CrashWorld, when: 'before' | 'run'): void {
  for (const type of ['thing', 'named', 'keyed']) {
    if (when === 'before') world.stuck.add(`${type}_deposed`);
    else world.stuck.delete(`${type}_deposed`);
  }
}

/** Everything that is cut off. */
export const WORKLOADS: readonly Workload[] = [
  {
    name: 'apply',
    before: [],
    text: CREATED,
    arrange(world, when) {
      if (when !== 'run') return;
      world.failing.set('half', 'partial');
      world.failing.set('refused', 'refuse');
    },
  },
  { name: 'replace', before: [BEFORE('1'), BEFORE('2')], text: AFTER, arrange: leaveDeposed },
  { name: 'destroy', before: [BEFORE('1'), BEFORE('2')], text: undefined, arrange: leaveDeposed },
];

/** The configurations that the program applies in turn while it is killed; undefined destroys everything. */
export const KILLED_TEXTS: readonly (string | undefined)[] = [
  BEFORE('1'),
  BEFORE('2'),
  AFTER,
  BEFORE('1'),
  undefined,
  CREATED,
  undefined,
];
