import { expect, it } from 'vitest';
import { completeLine, type CompletionSources } from './complete-line.ts';

const sources: CompletionSources = {
  workspaces: (chdir) => Promise.resolve(['default', 'prod', `of-${chdir}`]),
  addresses: () => Promise.resolve(['null_resource.a["x y"]', 'module.m.null_resource.b']),
  outputs: () => Promise.resolve(['url']),
  paths: (beginning) => Promise.resolve([`${beginning}dir/`]),
};

const cases: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ['terrane va', ['validate']],
  ['terrane wor', ['workspace']],
  ['terrane workspace ', ['delete', 'list', 'new', 'select', 'show']],
  ['terrane workspace sel', ['select']],
  ['terrane workspace select p', ['prod']],
  ['terrane -chdir=there workspace select o', ['of-there']],
  ['terrane workspace new ', []],
  ['terrane state s', ['show']],
  ['terrane state show mo', ['module.m.null_resource.b']],
  ['terrane state mv null_resource.a mo', ['module.m.null_resource.b']],
  ['terrane taint -allow-m', ['-allow-missing']],
  ['terrane output ', ['url']],
  ['terrane plan -refresh', ['-refresh', '-refresh-only']],
  ['terrane plan -refresh=', ['-refresh=false', '-refresh=true']],
  ['terrane plan -target=mo', ['-target=module.m.null_resource.b']],
  ['terrane apply -var-file=x', ['-var-file=xdir/']],
  ['terrane apply pl', ['pldir/']],
  ['terrane -ch', ['-chdir=']],
  ['terrane -chdir=x', ['-chdir=xdir/']],
  ['terrane graph -type=plan-', ['-type=plan-destroy', '-type=plan-refresh-only']],
  ['terrane plan -out', ['-out=']],
  ['terrane nonsense ', []],
  ['terrane plan -nonsense=', []],
];

it.each(cases)('completes "%s"', async (line, expected) => {
  expect(await completeLine(line, sources)).toEqual(expected);
});

it('proposes every command and every option of each', async () => {
  expect(await completeLine('terrane ', sources)).toContain('state');
  expect(await completeLine('terrane init -', sources)).toEqual(
    expect.arrayContaining(['-backend-config=', '-help', '-migrate-state', '-upgrade']),
  );
});
