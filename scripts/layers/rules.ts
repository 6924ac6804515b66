import { posix } from 'node:path';
import { cycleThrough, GraphBuilder, orderOf } from '@terrane/graph';
import type { Import, SourceFile } from './source-file.ts';
import {
  layers,
  plansData,
  providerMayImport,
  providersImportToo,
  providersServe,
  stages,
  testkitReaches,
  touchesOutside,
  usesOwnPaths,
  usesOwnPlatform,
} from './table.ts';

/** A workspace package as its package.json declares it. */
export interface Package {
  readonly name: string;
  /** `packages/<room>` or `providers/<name>`. */
  readonly folder: string;
  /** The sub-paths of its `exports`: `.` and what else is public. */
  readonly exports: readonly string[];
  /** The names of all that it depends on. */
  readonly dependencies: readonly string[];
}

/** A rule that a file breaks. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Holds the files to the rules of ARCHITECTURE.md; problems come in the order of the files. */
export function findProblems(
  files: readonly SourceFile[],
  packages: readonly Package[],
  shared: readonly string[] = [],
): Problem[] {
  const tree: Tree = {
    packages: new Map(packages.map((item) => [item.name, item])),
    byFolder: new Map(packages.map((item) => [item.folder, item])),
    shared: new Set(shared),
  };
  return [...files.flatMap((file) => problemsOf(file, tree)), ...cyclesOf(files)];
}

interface Tree {
  readonly packages: ReadonlyMap<string, Package>;
  readonly byFolder: ReadonlyMap<string, Package>;
  /** Dependencies of the repository itself, which tests and scripts may use. */
  readonly shared: ReadonlySet<string>;
}

/** The room of a file: its package folder, and whether it is part of what is published. */
interface Place {
  readonly group: 'packages' | 'providers' | 'outside';
  readonly room: string;
  readonly containingPackage: Package | undefined;
  readonly test: boolean;
}

function problemsOf(file: SourceFile, tree: Tree): Problem[] {
  const place = placeOf(file.path, tree);
  const problems: Problem[] = [];
  const report = (line: number, message: string | undefined): void => {
    if (message !== undefined) problems.push({ path: file.path, line, message });
  };
  if (place.group === 'packages' && place.room !== 'testkit' && layerOf(place.room) === undefined) {
    report(1, `packages/${place.room} is not in the layer table (scripts/layers/table.ts)`);
  }
  report(1, strayStage(file.path, place));
  for (const item of file.imports) report(item.line, importProblem(file, item, place, tree));
  if (place.test || place.group === 'outside') return problems;
  if (!isBelowAny(file.path, usesOwnPlatform)) {
    for (const use of file.platform) {
      if (place.group === 'providers' && use.reason !== undefined) continue;
      if (use.what !== 'process.platform' && isBelowAny(file.path, usesOwnPaths)) continue;
      report(
        use.line,
        `uses ${use.what}, which follows the platform of this process; use that of the host, and pathsOf for paths`,
      );
    }
  }
  if (touchesOutside.includes(roomOf(place))) return problems;
  for (const use of file.outside) {
    if (place.group === 'providers' && use.reason !== undefined) continue;
    const excuse = place.group === 'providers' ? ', or say why with `// outside-world: …`' : '';
    report(use.line, `uses ${use.what}; below cli the outside world comes through host${excuse}`);
  }
  return problems;
}

function isBelowAny(path: string, places: readonly string[]): boolean {
  return places.some((place) => path.startsWith(place));
}

function importProblem(
  file: SourceFile,
  item: Import,
  place: Place,
  tree: Tree,
): string | undefined {
  const { specifier } = item;
  if (specifier.startsWith('.')) return relativeProblem(file.path, specifier, place);
  if (specifier.startsWith('node:')) return undefined;
  const name = packageName(specifier);
  const target = tree.packages.get(name);
  if (
    place.group !== 'outside' &&
    place.containingPackage !== undefined &&
    name !== place.containingPackage.name
  ) {
    const declared =
      place.containingPackage.dependencies.includes(name) || (place.test && tree.shared.has(name));
    const testkit = place.test && name === '@terrane/testkit';
    if (!declared && !testkit && !(place.test && target !== undefined)) {
      return `imports ${name}, which ${place.containingPackage.folder}/package.json does not declare`;
    }
  }
  if (target === undefined) return undefined;
  const subpath = `.${specifier.slice(name.length)}`;
  if (!target.exports.includes(subpath)) return `imports ${specifier}, which is not public`;
  return directionProblem(place, target);
}

/** Returns the problem of an import between packages, if it is not allowed. */
function directionProblem(place: Place, target: Package): string | undefined {
  const [group, room = ''] = target.folder.split('/');
  if (place.group === 'outside') return undefined;
  if (place.containingPackage?.name === target.name) return `imports its own package by name`;
  if (group === 'packages' && room === 'testkit') {
    return place.test ? undefined : 'imports testkit, which is for tests';
  }
  if (place.group === 'providers') {
    const allowed = [...providerMayImport, ...(providersImportToo[place.room] ?? [])];
    if (group === 'packages' && allowed.includes(room)) return undefined;
    return `imports ${target.name}; a provider imports ${allowed.join(', ')} only`;
  }
  const from = place.room === 'testkit' ? testkitReaches + 1 : layerOf(place.room);
  if (from === undefined) return undefined;
  if (group === 'providers') {
    const lowest = place.test ? providersServe.testsFrom : providersServe.from;
    if (from >= lowest) return undefined;
    return `imports ${target.name}; bundled providers serve layer ${lowest} and above`;
  }
  const to = layerOf(room);
  if (to === undefined || to < from) return undefined;
  return `${place.room} (layer ${from}) imports ${room} (layer ${to}); imports go strictly downward`;
}

function relativeProblem(path: string, specifier: string, place: Place): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  if (!/\.(ts|mjs|json)$/.test(specifier)) return `imports ${specifier} without its extension`;
  if (place.group === 'outside') {
    const deep = /^(packages|providers)\/[^/]+\/src\//.test(target);
    return deep ? `imports ${specifier}; packages are imported by name` : undefined;
  }
  if (!target.startsWith(`${place.group}/${place.room}/`)) {
    return `imports ${specifier}, which leaves its package`;
  }
  if (!place.test && target.endsWith('.test.ts')) return `imports the test file ${specifier}`;
  const from = stageOf(path);
  if (from === undefined) return undefined;
  const to = stageOf(target);
  if (to === undefined) return `imports ${specifier}: a stage of the engine imports stages only`;
  if (from === 'apply' && to === 'plan' && !plansData.includes(posix.basename(target)))
    return `engine/apply imports engine/plan for more than its data (${plansData.join(', ')})`;
  if (stages.indexOf(to) <= stages.indexOf(from)) return undefined;
  return `engine/${from} imports engine/${to}, which comes after it`;
}

/** A file of the engine that is neither its index nor in a stage. */
function strayStage(path: string, place: Place): string | undefined {
  if (place.room !== 'engine' || place.group !== 'packages' || place.test) return undefined;
  if (path === 'packages/engine/src/index.ts' || stageOf(path) !== undefined) return undefined;
  return `is in no stage of the engine (${stages.join(', ')})`;
}

function stageOf(path: string): string | undefined {
  const folder = /^packages\/engine\/src\/([^/]+)\//.exec(path)?.[1];
  return folder !== undefined && stages.includes(folder) ? folder : undefined;
}

/**
 * Reports each group of files that import each other once, with a path of its cycle. Type-only and lazy imports count:
 * files that need each other's types belong into one file, or their common types into a third.
 */
function cyclesOf(files: readonly SourceFile[]): Problem[] {
  const numbers = new Map(files.map((file, number) => [file.path, number]));
  const builder = new GraphBuilder(files.length);
  for (const [from, file] of files.entries()) {
    for (const { specifier } of file.imports) {
      if (!specifier.startsWith('.')) continue;
      const to = numbers.get(posix.join(posix.dirname(file.path), specifier));
      if (to !== undefined) builder.addEdge(from, to);
    }
  }
  const graph = builder.build();
  return orderOf(graph).cycles.flatMap(([start = 0]) => {
    const way = (cycleThrough(graph, start) ?? []).map((number) => files[number]?.path ?? '');
    const [path = ''] = way;
    const steps = [...way.slice(1), path].map((step) => posix.relative(posix.dirname(path), step));
    return [{ path, line: 1, message: `imports itself through ${steps.join(' → ')}` }];
  });
}

function placeOf(path: string, tree: Tree): Place {
  const [group, room = ''] = path.split('/');
  const containingPackage = tree.byFolder.get(`${group}/${room}`);
  const test = /\.test\.ts$|\/testing\/|\/fixtures\//.test(path);
  if (group === 'packages' || group === 'providers')
    return { group, room, containingPackage, test };
  return { group: 'outside', room: '', containingPackage: undefined, test };
}

/** The name under which the table of border packages knows a place; none for providers. */
function roomOf(place: Place): string {
  return place.group === 'packages' ? place.room : '';
}

function layerOf(room: string): number | undefined {
  return Object.hasOwn(layers, room) ? layers[room] : undefined;
}

function packageName(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
