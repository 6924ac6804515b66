import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { DYNAMIC, STRING } from '@terrane/cty';
import { functionTable, loadFunctionLibraries } from '@terrane/functions';
import type { Schema } from '@terrane/provider';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkStatic } from './check/check-static.ts';
import { loadConfiguration } from './load.ts';
import type { Schemas } from './model.ts';
import recorded from './recorded/results.json' with { type: 'json' };

/** One thing that `terraform validate -json` said. */
interface Told {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly place?: string;
}

const results: Readonly<Record<string, { readonly diagnostics: readonly Told[] }>> = recorded;
const cases = readFileSync(join(import.meta.dirname, 'recorded', 'cases.txt'), 'utf8')
  .split(/^=== /m)
  .slice(1);

/** The files of a case: paths to texts. */
function filesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split(/^--- /m)
      .slice(1)
      .map((file) => {
        const end = file.indexOf('\n');
        return [file.slice(0, end), file.slice(end + 1)];
      }),
  );
}

function fileSystem(files: ReadonlyMap<string, string>): Parameters<typeof loadConfiguration>[0] {
  const inside = (path: string): string => (path === '.' || path === '' ? '' : `${path}/`);
  const isDirectory = (path: string): boolean =>
    [...files.keys()].some((name) => name.startsWith(inside(path)));
  return {
    readFileSync: (path) => new TextEncoder().encode(files.get(path)),
    readDirectorySync: (path) =>
      [...files.keys()]
        .filter((name) => name.startsWith(inside(path)))
        .map((name) => name.slice(inside(path).length))
        .filter((name) => !name.includes('/'))
        .map((name) => ({ name, kind: 'file' })),
    statSync: (path) => {
      const stat = { size: 0, mtimeMs: 0, mode: 0, inode: 0 };
      if (files.has(path)) return { ...stat, kind: 'file' };
      return isDirectory(path) ? { ...stat, kind: 'directory' } : undefined;
    },
  };
}

const NOTHING: Schema = { version: 0, block: { attributes: {}, blocks: {} } };
const DATA: Schema = {
  version: 0,
  block: {
    attributes: {
      id: { type: STRING, computed: true },
      input: { type: DYNAMIC, optional: true },
      output: { type: DYNAMIC, computed: true },
      triggers_replace: { type: DYNAMIC, optional: true },
    },
    blocks: {},
  },
};
const REMOTE_STATE: Schema = {
  version: 0,
  block: {
    attributes: {
      backend: { type: STRING, required: true },
      config: { type: DYNAMIC, optional: true },
      defaults: { type: DYNAMIC, optional: true },
      outputs: { type: DYNAMIC, computed: true },
      workspace: { type: STRING, optional: true },
    },
    blocks: {},
  },
};

const builtin = 'terraform.io/builtin/terraform';
const schemas: Schemas = {
  provider: ({ text }) =>
    text === builtin
      ? {
          provider: NOTHING,
          resources: { terraform_data: DATA },
          dataSources: { terraform_remote_state: REMOTE_STATE },
          ephemeralResources: {},
          functions: {
            encode_tfvars: { parameters: [{ name: 'value', type: DYNAMIC }], returns: STRING },
            decode_tfvars: { parameters: [{ name: 'src', type: STRING }], returns: DYNAMIC },
            encode_expr: { parameters: [{ name: 'expr', type: DYNAMIC }], returns: STRING },
          },
          capabilities: {},
        }
      : undefined,
  resource: ({ text }, mode, type) => {
    if (text !== builtin) return undefined;
    if (mode === 'managed' && type === 'terraform_data') return DATA;
    return mode === 'data' && type === 'terraform_remote_state' ? REMOTE_STATE : undefined;
  },
};

const world = {
  environment: { cwd: '/project', homeDirectory: '/home/me', platform: 'linux' },
  clock: { now: () => new Date(0) },
  random: { bytes: (n: number) => new Uint8Array(n), uuid: () => '' },
};

function summarized({ severity, summary, detail, subject }: Diagnostic): Told {
  if (subject === undefined) return { severity, summary, detail };
  const { filename, from } = subject;
  return { severity, summary, detail, place: `${filename}:${from.line},${from.column}` };
}

const inOrder = (all: readonly Told[]): readonly Told[] =>
  all
    .map((entry) => ({ key: JSON.stringify([entry.place, entry.summary, entry.detail]), entry }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);

async function validate(text: string): Promise<readonly Told[]> {
  const files = fileSystem(filesOf(text));
  const { configuration, diagnostics } = loadConfiguration(files, '.');
  const all = [...diagnostics];
  if (configuration !== undefined && !hasErrors(all)) {
    const functions = functionTable({ ...world, files }, { baseDir: '.', pure: true });
    const settings = { schemas, functions, cwd: '/project', workspace: 'default' };
    all.push(...(await checkStatic(configuration, settings)));
  }
  return inOrder(all.map(summarized));
}

beforeAll(async () => await loadFunctionLibraries());

describe('reports the diagnostics of terraform validate', () => {
  for (const text of cases) {
    const [name = ''] = text.split('\n', 1);
    it(name, async () => {
      expect(await validate(text)).toEqual(inOrder(results[name]?.diagnostics ?? []));
    });
  }
});
