// What is stored of a history: for how long, and how.
import { gunzipSync } from 'node:zlib';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

const HISTORY = '.terraform.tfstate.history';
const DAY_MS = 86_400_000;
const thing = (size: number): string => `resource "terraform_data" "a" {\n  input = ${size}\n}\n`;

/** The IDs of the listed runs, oldest first. */
async function runIds(bench: Workbench): Promise<readonly string[]> {
  const { code, stdout } = await bench.run('history -json -n=0');
  expect(code).toBe(0);
  const { runs }: { readonly runs: readonly { readonly id: string }[] } = JSON.parse(stdout);
  return runs.map(({ id }) => id).sort();
}

/** The names of the stored data below a folder of the history. */
async function storedNames(bench: Workbench, folder: string): Promise<readonly string[]> {
  const { files } = memoryHost({ disk: bench.disk, cwd: '/project' });
  const entries = await files.readDirectory(`${HISTORY}/${folder}`);
  return entries.map(({ name }) => name).sort();
}

async function applyEach(
  bench: Workbench,
  sizes: readonly number[],
  setting: string,
  between = 1000,
): Promise<void> {
  for (const size of sizes) {
    await bench.write('main.tf', thing(size));
    const { code, stderr } = await bench.run('apply -auto-approve', {
      environment: { TERRANE_HISTORY: setting },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await bench.clock.advance(between);
  }
}

it('keeps a number of runs, and nothing of the others', async () => {
  const bench = new Workbench();
  await applyEach(bench, [1, 2, 3], 'runs=3');
  const first = await runIds(bench);
  await applyEach(bench, [4, 5], 'runs=3');
  const kept = await runIds(bench);
  expect(kept).toHaveLength(3);
  expect(kept[0]).toBe(first[2]);
  expect(await storedNames(bench, 'runs')).toEqual(kept);
  // The oldest run that is kept starts from a state of its own, which is stored as a whole.
  expect(await storedNames(bench, 'states')).toEqual([kept[0]]);
  const before = await bench.run(`state restore -before -dry-run ${kept[0]}`);
  expect(before.stdout).toContain('input: 5 -> 2');
  const difference = await bench.run(`history diff ${kept[0]} last`);
  expect(difference.stdout).toContain('input: 3 -> 5');
  // Configurations that no run needs are gone.
  expect(await storedNames(bench, 'configurations')).toHaveLength(3);
  expect((await bench.run(`history show ${first[0]}`)).code).toBe(1);
});

it('keeps runs up to an age, and the last one whatever its age', async () => {
  const bench = new Workbench();
  await applyEach(bench, [1, 2, 3, 4], 'days=2', DAY_MS);
  // Those of the last two days, and the present one.
  expect(await runIds(bench)).toHaveLength(3);
  await bench.clock.advance(40 * DAY_MS);
  expect(await runIds(bench)).toHaveLength(3);
  await applyEach(bench, [5], 'days=2');
  expect(await runIds(bench)).toHaveLength(1);
});

it('records nothing if it is off, and continues afterwards with a complete state', async () => {
  const bench = new Workbench();
  await applyEach(bench, [1], 'off');
  expect(await bench.exists(HISTORY)).toBe(false);
  await applyEach(bench, [2], 'on');
  await applyEach(bench, [3], 'off');
  await applyEach(bench, [4], 'on');
  const [second, fourth] = await runIds(bench);
  expect((await bench.run(`history diff ${second} ${fourth}`)).stdout).toContain('input: 2 -> 4');
  const invalid = await bench.run('apply -auto-approve -replace=terraform_data.a', {
    environment: { TERRANE_HISTORY: 'runs=0' },
  });
  expect({
    code: invalid.code,
    isTold: invalid.stdout.includes('Run is not in the history'),
  }).toEqual({ code: 0, isTold: true });
});

const encryption = (names: readonly string[]): string => {
  const keys = names.map(
    (name) =>
      `    key_provider "static" "${name}" {\n      key = "${name.repeat(32)}"\n    }\n    method "aes_gcm" "${name}" {\n      keys = key_provider.static.${name}\n    }\n`,
  );
  const [newest, older] = names;
  const fallback =
    older === undefined
      ? ''
      : `      fallback {\n        method = method.aes_gcm.${older}\n      }\n`;
  return `terraform {\n  encryption {\n${keys.join('')}    state {\n      method = method.aes_gcm.${newest}\n${fallback}    }\n  }\n}\n`;
};

it('is encrypted as the state is, and readable after a change of the key', async () => {
  const canary = 'canary-8e11';
  const bench = new Workbench();
  const apply = async (text: string): Promise<void> => {
    await bench.write('main.tf', text);
    const { code, stderr } = await bench.run('apply -auto-approve');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await bench.clock.advance(1000);
  };
  const secret = (value: string): string =>
    `resource "terraform_data" "a" {\n  input = "${value}"\n}\n`;
  await apply(encryption(['a0']) + secret(`${canary}-1`));
  await apply(encryption(['b1', 'a0']) + secret(`${canary}-2`));
  const stored = [...bench.disk.names.keys()].filter((path) => path.includes('.history/'));
  expect(stored.length).toBeGreaterThan(4);
  for (const path of stored) {
    const bytes = Buffer.from(await bench.readBytes(path));
    expect(bytes.includes(canary), path).toBe(false);
    // No part of it is compressed text.
    for (let at = bytes.indexOf(0x1f); at >= 0; at = bytes.indexOf(0x1f, at + 1)) {
      if (bytes[at + 1] !== 0x8b) continue;
      expect(() => gunzipSync(bytes.subarray(at)), path).toThrow();
    }
  }
  // Both keys are needed: each run is encrypted with that of its time.
  const [first, second] = await runIds(bench);
  const difference = await bench.run(`history diff ${first} ${second}`);
  expect(difference.stdout).toContain(`input: "${canary}-1" -> "${canary}-2"`);
  // A changed byte is noticed.
  const path = `${HISTORY}/runs/${first}`;
  const bytes = Buffer.from(await bench.readBytes(path));
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
  await bench.writeBytes(path, bytes);
  const tampered = await bench.run(`history show ${first}`);
  expect({ code: tampered.code, isTold: tampered.stderr.includes('cannot be read') }).toEqual({
    code: 1,
    isTold: true,
  });
  expect(await runIds(bench)).toEqual([first, second]);
});
