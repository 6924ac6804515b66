import { type InstanceAddr, parseInstanceAddr, parseTarget } from '@terrane/addresses';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../config/load.ts';
import { removedProblems, targetedMoveProblems } from './refactoring-problems.ts';

async function removed(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const host = memoryHost();
  for (const [name, text] of Object.entries(files)) {
    await host.files.makeDirectory(`/project/${name.split('/').slice(0, -1).join('/')}`);
    await host.files.writeFile(`/project/${name}`, text);
  }
  const { configuration } = loadConfiguration(host.files, '.');
  if (configuration === undefined) throw new Error('no configuration');
  return removedProblems(configuration).map(
    ({ summary, detail, subject }) =>
      `${subject?.filename}:${subject?.from.line} ${summary}: ${detail}`,
  );
}

describe('the target of a removed block', () => {
  const block = (from: string): string => `removed {\n  from = ${from}\n}\n`;
  const still = 'was removed, but it is still declared in configuration.';

  it.each([
    {
      what: 'may not be declared',
      files: { 'main.tf': `${block('test_thing.a')}resource "test_thing" "a" {}\n` },
      messages: [
        `main.tf:4 Removed resource still exists: This statement declares that test_thing.a ${still}`,
      ],
    },
    {
      what: 'may not be a module that is called',
      files: {
        'main.tf': `${block('module.m')}module "m" {\n  source = "./m"\n}\n`,
        'm/main.tf': '',
      },
      messages: [
        `main.tf:4 Removed module still exists: This statement declares that module.m ${still}`,
      ],
    },
    {
      what: 'is told once where both the module and its caller say so',
      files: {
        'main.tf': `${block('module.m.test_thing.a')}module "m" {\n  source = "./m"\n}\n`,
        'm/main.tf': `resource "test_thing" "a" {}\n${block('test_thing.a')}`,
      },
      messages: [
        `m/main.tf:1 Removed resource still exists: This statement declares that module.m.test_thing.a ${still}`,
      ],
    },
    {
      what: 'may be of the same name as something elsewhere',
      files: {
        'main.tf': `${block('module.m.test_thing.a')}${block('module.gone')}resource "test_thing" "a" {}\n`,
      },
      messages: [],
    },
  ])('$what', async ({ files, messages }) => {
    expect(await removed(files as Readonly<Record<string, string>>)).toEqual(messages);
  });
});

describe('objects that moved, in a run with targets', () => {
  const addr = (text: string): InstanceAddr => {
    const { address } = parseInstanceAddr(text);
    if (address === undefined) throw new Error(text);
    return address;
  };
  const previous = new Map([
    [addr('test_thing.new[0]'), addr('test_thing.old[0]')],
    [addr('test_thing.new[1]'), addr('test_thing.old[1]')],
  ]);
  const options = (...targets: readonly string[]): readonly string[] => {
    const parsed = targets.flatMap((text) => parseTarget(text).target ?? []);
    return targetedMoveProblems(previous, parsed).flatMap(
      ({ detail }) => detail.match(/-target=".*"/g) ?? [],
    );
  };

  it('must all be targeted, old and new address; each resource is listed once', () => {
    expect(options('test_thing.other')).toEqual([
      '-target="test_thing.new"',
      '-target="test_thing.old"',
    ]);
    expect(options('test_thing.new')).toEqual(['-target="test_thing.old"']);
    expect(options('test_thing.new[0]', 'test_thing.old')).toEqual(['-target="test_thing.new"']);
  });

  it('are accepted if both addresses are targeted, or none', () => {
    expect(options('test_thing.new', 'test_thing.old')).toEqual([]);
    expect(options()).toEqual([]);
  });
});
