import { describe, expect, it } from 'vitest';
import { Workbench } from '../../packages/cli/src/testing/run-terrane.ts';
import { CASES, RESOURCES } from './cases.ts';
import { recordedOf } from './recorded.ts';
import { outputOf, placeFor, terrane, tofu, TOFU } from './run.ts';

const within = CASES.filter(({ programs }) => programs === undefined);
const apart = CASES.filter(({ programs }) => programs === true);

describe('states that OpenTofu encrypted', () => {
  it.each(within)('are read and written as $name', async ({ name, files, environment = {} }) => {
    const { state, ours, read } = recordedOf(name);
    const bench = await Workbench.with({ 'resources.tf': RESOURCES, ...files });
    const run = async (command: string): Promise<string> => {
      const { code, stdout, stderr } = await bench.run(command, { environment });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    await bench.write('terraform.tfstate', state);
    expect(outputOf(await run('output -json'))).toBe('marker-first');
    expect(await run('state list')).toBe('terraform_data.a\n');
    await run('plan -detailed-exitcode');

    // What OpenTofu has read has the form that is written now.
    await run('apply -auto-approve -var=text=marker-second');
    const written = await bench.read('terraform.tfstate');
    expect(formOf(written)).toEqual(formOf(ours));
    expect(outputOf(await run('output -json'))).toBe('marker-second');
    expect(read).toBe('marker-second');
    for (const file of await bench.names()) {
      if (!file.startsWith('terraform.tfstate')) continue;
      expect(await bench.read(file)).not.toContain('marker');
      expect(await bench.read(file)).toContain('"encrypted_data"');
    }
    await bench.write('terraform.tfstate', ours);
    expect(outputOf(await run('output -json'))).toBe('marker-second');
  });

  it.each(apart)('are read and written as $name, with programs', async (each) => {
    const { state, ours } = recordedOf(each.name);
    await using place = await placeFor(each);
    await place.write('terraform.tfstate', state);
    expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-first');
    terrane(place, ['apply', '-auto-approve', '-input=false', '-var=text=marker-second']);
    const written = await place.read('terraform.tfstate');
    expect(formOf(written)).toEqual(formOf(ours));
    expect(written).not.toContain('marker');
    await place.write('terraform.tfstate', ours);
    expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-second');
  });
});

describe.skipIf(TOFU === undefined)('beside OpenTofu, where it is', () => {
  it.each(CASES)('states go there and back as $name', async (each) => {
    await using place = await placeFor(each);
    terrane(place, ['init', '-input=false']);
    terrane(place, ['apply', '-auto-approve', '-input=false', '-var=text=marker-third']);
    tofu(place, ['init', '-input=false']);
    expect(outputOf(tofu(place, ['output', '-json']))).toBe('marker-third');
    tofu(place, ['apply', '-auto-approve', '-input=false', '-var=text=marker-fourth']);
    expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-fourth');
  });
});

/** What a file tells without its key, but for what chance makes of it. */
function formOf(text: string): unknown {
  const file: {
    readonly serial: number;
    readonly lineage: string;
    readonly meta: Readonly<Record<string, string>>;
    readonly encryption_version: string;
    readonly encrypted_data: string;
  } = JSON.parse(text);
  expect(file.encrypted_data).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  const meta = Object.entries(file.meta).map(([name, kept]) => {
    const parsed: Readonly<Record<string, unknown>> = JSON.parse(
      Buffer.from(kept, 'base64').toString(),
    );
    return [name, { ...parsed, ...('salt' in parsed ? { salt: lengthOf(parsed['salt']) } : {}) }];
  });
  return {
    members: Object.keys(file),
    serial: file.serial,
    lineage: file.lineage,
    meta,
    version: file.encryption_version,
  };
}

const lengthOf = (base64: unknown): number => Buffer.from(String(base64), 'base64').length;
