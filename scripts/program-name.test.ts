// Messages that name a command of the program take its name from `programCommand`, so that the user can type what
// is advised. A literal name would be wrong as soon as the program is called by another one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { root } from './root.ts';

/** Texts that name a command and must not follow the program's name. */
const FIXED: ReadonlyMap<string, string> = new Map([
  ['packages/registry/src/lock/dependency-lock.ts', 'the lock file is shared with Terraform'],
  ['packages/render/src/graph/dot.ts', 'a comment in graphs, which tools compare'],
  ['packages/render/src/human/plan-text.ts', 'tools match the text of plans'],
  ['packages/engine/src/state/journal-record.ts', 'a file format'],
  ['packages/registry/src/lock/module-locks.ts', 'the lock file is shared'],
  ['packages/policy/src/report/report-sarif.ts', 'the name of a tool in a format for programs'],
  [
    'packages/server/src/routes/discovery.ts',
    'the name of a token that clients of any program request',
  ],
  ['packages/cli/src/commands/shim/run.ts', 'a mark in files that the command has written'],
]);

/** Texts that `inProgramName` rewrites as a whole, since they name the program in other ways too. */
const REWRITTEN =
  /^packages\/cli\/src\/(?:commands\/[\w-]+\/command|program-help|run-program|commands\/init\/messages|commands\/workspace|views\/operation-view)/;

const table = readFileSync(join(root, 'packages/cli/src/command-table.ts'), 'utf8');
const top = [...table.matchAll(/\['([\w-]+)'/g)].map(([, name]) => name).join('|');
const NAMED = new RegExp(`\\b(terraform|tofu|terrane) (?:${top})\\b`);

function namedCommands(source: string, file: string): string[] {
  const names: string[] = [];
  const look = (text: string): void => {
    const [match, program] = NAMED.exec(text) ?? [];
    if (match !== undefined && !(program === 'terrane' && REWRITTEN.test(file))) names.push(match);
  };
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && look(node.value),
    TemplateElement: (node) => look(node.value.raw),
  }).visit(parseSync(file, source).program);
  return names;
}

function sources(): string[] {
  return ['packages', 'providers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => /^[^/]+\/[^/]+\/src\/.*(?<!\.test)\.ts$/.test(path)),
  );
}

describe('the name of the program in messages', () => {
  it('is recognised in the texts of a source', () => {
    const code = 'const a = `run "terraform init"`, b = \'use terrane plan\'; // terraform apply';
    expect(namedCommands(code, 'x.ts')).toEqual(['terraform init', 'terrane plan']);
  });

  it('is that which the user called', () => {
    const literal = sources()
      .filter((file) => !FIXED.has(file))
      .flatMap((file) =>
        namedCommands(readFileSync(join(root, file), 'utf8'), file).map(
          (text) => `${file}: ${text}`,
        ),
      );
    expect(literal).toEqual([]);
  });
});
