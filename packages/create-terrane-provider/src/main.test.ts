import { memoryHost } from '@terrane/testkit';
import { nodeHost } from '@terrane/host';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generate } from './generate.ts';
import { main } from './main.ts';
import { parseName, replaceNames } from './project-name.ts';

const template = fileURLToPath(new URL('../template', import.meta.url));

/** A host whose files are in memory, with the template of the package. */
async function hostWithTemplate(): Promise<ReturnType<typeof memoryHost>> {
  const host = memoryHost();
  const { files } = nodeHost();
  const copy = async (directory: string, to: string): Promise<void> => {
    await host.files.makeDirectory(to);
    for (const { name, kind } of await files.readDirectory(directory)) {
      if (kind === 'directory') await copy(`${directory}/${name}`, `${to}/${name}`);
      else
        await host.files.writeFile(`${to}/${name}`, await files.readFile(`${directory}/${name}`));
    }
  };
  await copy(template, '/package/template');
  await host.files.writeFile('/package/package.json', '{"version":"1.2.3"}');
  return host;
}

async function run(
  host: ReturnType<typeof memoryHost>,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const output = { stdout: '', stderr: '' };
  const process = {
    args,
    write: (stream: 'stdout' | 'stderr', text: string): void => {
      output[stream] += text;
    },
  };
  return { code: await main(process, host, '/package/template'), ...output };
}

test('a project has the names of the provider, and no names of the template', async () => {
  const host = await hostWithTemplate();
  const { code, stdout } = await run(host, 'acme/my-cloud');
  expect(code).toBe(0);
  expect(stdout).toContain('cd terraform-provider-my-cloud\n');
  const read = async (path: string): Promise<string> =>
    await host.files.readText(`terraform-provider-my-cloud/${path}`);
  expect(JSON.parse(await read('package.json'))).toMatchObject({
    name: 'terraform-provider-my-cloud',
    dependencies: { '@terrane/plugin': '1.2.3', '@terrane/provider': '1.2.3' },
    devDependencies: { '@terrane/provider-testing': '1.2.3' },
  });
  expect(await read('src/provider.ts')).toContain('export function myCloudProvider(): Provider {');
  expect(await read('src/client.ts')).toContain('export class MyCloudClient {');
  expect(await read('src/main.ts')).toContain("'registry.terraform.io/acme/my-cloud'");
  expect(await read('examples/main.tf')).toContain('resource "mycloud_item" "shopping" {');
  expect(await read('.gitignore')).toContain('node_modules/');
  expect(await read('.github/workflows/test.yml')).toContain('npm test');
});

test('every file of the template is written, without its names', async () => {
  const host = await hostWithTemplate();
  const name = parseName('registry.acme.test/acme/thing');
  const options = { name, directory: 'out', template: '/package/template', version: '9.9.9' };
  const written = await generate(options, host.files);
  expect(written).toEqual([
    '.github/workflows/release.yml',
    '.github/workflows/test.yml',
    '.gitignore',
    'README.md',
    'examples/main.tf',
    'package.json',
    'src/client.ts',
    'src/item.ts',
    'src/items.ts',
    'src/main.ts',
    'src/provider.ts',
    'test/provider.test.ts',
    'tsconfig.json',
  ]);
  for (const path of written) {
    const text = await host.files.readText(`out/${path}`);
    expect(text).not.toMatch(/example-?c|registry\.example|TERRANE_VERSION/i);
  }
  expect(await host.files.readText('out/src/main.ts')).toContain('registry.acme.test/acme/thing');
});

test('a directory with files is refused, and unchanged', async () => {
  const host = await hostWithTemplate();
  await host.files.makeDirectory('here');
  await host.files.writeFile('here/notes.txt', 'x');
  const { code, stderr } = await run(host, 'acme/thing', '--directory', 'here');
  expect(code).toBe(1);
  expect(stderr).toBe(
    'Error: here is not empty (it contains notes.txt). Choose another directory with --directory.\n',
  );
  expect((await host.files.readDirectory('here')).map(({ name }) => name)).toEqual(['notes.txt']);
});

test('an empty directory is used', async () => {
  const host = await hostWithTemplate();
  await host.files.makeDirectory('here');
  expect((await run(host, 'acme/thing', '--directory', 'here')).code).toBe(0);
});

test.each([
  [[], 'Error: one source address is needed'],
  [['acme/thing', 'b/c'], 'Error: one source address is needed'],
  [['thing'], 'Error: "thing" is not a source address. Write namespace and type'],
  [['a/b/c/d'], 'is not a source address'],
  [['nohost/acme/thing'], 'is not a source address'],
  [['acme/my_cloud'], 'Error: "my_cloud" is not a valid name. Use letters, digits'],
  [['acme/9lives'], 'is not a valid name'],
  [['../etc/x'], 'is not a source address'],
  [['acme/terraform-provider-thing'], 'does not begin with "terraform-": write acme/thing.'],
  [['acme/thing', '--unknown'], "Unknown option '--unknown'"],
])('%j is refused', async (args, message) => {
  const host = await hostWithTemplate();
  const { code, stderr } = await run(host, ...args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(await host.files.stat('terraform-provider-thing')).toBeUndefined();
});

test('help is printed', async () => {
  const { code, stdout } = await run(await hostWithTemplate(), '--help');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: npm create terrane-provider -- ADDRESS/);
});

test('names are spelt as their place requires', () => {
  const name = parseName('Acme/My-Big-Cloud');
  const text = 'examplecorp/example-cloud examplecloud_item exampleCloud ExampleCloud';
  expect(replaceNames(text, name)).toBe('acme/my-big-cloud mybigcloud_item myBigCloud MyBigCloud');
});
