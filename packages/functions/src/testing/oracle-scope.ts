import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  integer,
  refine,
  str,
  typeFromJson,
  unknownOf,
  valueFromJson,
  type Bound,
  type FunctionSpec,
  type Refinement,
  type Value,
} from '@terrane/cty';
import { constantScope, type Scope } from '@terrane/hcl';
import definitions from '../recorded/oracle/values.json' with { type: 'json' };
import type { FunctionPorts } from '../table.ts';
import { functionTable } from '../table.ts';

interface RefinementDefinition {
  readonly notNull?: boolean;
  readonly prefix?: string;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface Definition {
  readonly type: unknown;
  readonly value?: unknown;
  readonly unknown?: RefinementDefinition;
  readonly marks?: readonly string[];
}

const files = join(import.meta.dirname, '..', 'recorded', 'files');

/** Ports with the fixtures in the current directory, as in the recordings of the oracle. */
export const ORACLE_PORTS: FunctionPorts = {
  files: {
    readFileSync: (path) => readFileSync(join(files, path)),
    readDirectorySync: (path) =>
      readdirSync(join(files, path)).map((name) => ({ name, kind: 'file' as const })),
    statSync: (path) => {
      const stat = statSync(join(files, path), { throwIfNoEntry: false });
      if (stat === undefined) return undefined;
      const kind = stat.isDirectory() ? 'directory' : 'file';
      return { kind, size: stat.size, mtimeMs: 0, mode: 0, inode: 0 };
    },
  },
  environment: { cwd: '/project', homeDirectory: '/home/me', platform: 'linux' },
  clock: { now: () => new Date(0) },
  random: { bytes: (n) => new Uint8Array(n), uuid: () => '00000000-0000-4000-8000-000000000000' },
};

/** The scope that the oracle's program evaluates expressions in. */
export function oracleScope(): Scope {
  const functions = new Map<string, FunctionSpec>(
    functionTable(ORACLE_PORTS, {
      baseDir: '.',
      pure: false,
      plantimestamp: str('2023-11-14T22:13:20Z'),
    }),
  );
  const pure = functionTable(ORACLE_PORTS, { baseDir: '.', pure: true });
  for (const name of ['bcrypt', 'timestamp', 'uuid']) {
    const spec = pure.get(name);
    if (spec !== undefined) functions.set(`planned::${name}`, spec);
  }
  const type = functionTable(ORACLE_PORTS, { baseDir: '.', pure: false, consoleMode: true }).get(
    'type',
  );
  if (type !== undefined) functions.set('console::type', type);
  const values: Record<string, Value> = {};
  for (const [name, definition] of Object.entries(definitions)) values[name] = valueOf(definition);
  return constantScope(values, functions);
}

function valueOf(definition: Definition): Value {
  const type = typeFromJson(definition.type);
  let value =
    definition.unknown === undefined
      ? valueFromJson(JSON.stringify(definition.value), type)
      : refine(unknownOf(type), refinementOf(definition.unknown));
  for (const mark of definition.marks ?? []) {
    if (mark === 'sensitive' || mark === 'ephemeral') value = value.mark(mark);
  }
  return value;
}

function refinementOf(refinement: RefinementDefinition): Refinement {
  const { min, max, ...rest } = refinement;
  const bound = (n: number): Bound => ({ value: integer(n).asNum(), inclusive: true });
  return {
    ...rest,
    ...(min === undefined ? {} : { min: bound(min) }),
    ...(max === undefined ? {} : { max: bound(max) }),
  };
}
