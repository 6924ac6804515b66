import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import type { FetchContext } from './fetch-context.ts';
import { fetchPackage } from './fetch-package.ts';

async function linkedTo(address: string, platform: string): Promise<string | undefined> {
  const host = memoryHost({ platform });
  for (const path of ['C:/mods/a', '/mods/a']) await host.files.makeDirectory(path);
  const links = new Map<string, string>();
  host.files.symbolicLink = (target, path) => {
    links.set(path, target);
    return Promise.resolve();
  };
  const { signal } = new AbortController();
  const context: FetchContext = { host, scratch: 'scratch', signal };
  await fetchPackage(context, address, 'destination');
  return links.get('destination');
}

it.each([String.raw`C:\mods\a`, 'C:/mods/a', 'file:///C:/mods/a', 'file://C:/mods/a'])(
  'the address %j is a directory of a drive on Windows',
  async (address) => {
    expect(await linkedTo(address, 'win32')).toBe('C:/mods/a');
  },
);

it.each([
  [String.raw`C:\mods\a`, "download not supported for scheme 'c'"],
  ['C:/mods/a', "download not supported for scheme 'c'"],
  ['file:///C:/mods/a', 'source path error: stat /C:/mods/a'],
])('the address %j has no drive on other systems', async (address, message) => {
  await expect(linkedTo(address, 'linux')).rejects.toThrow(message);
  expect(await linkedTo('file:///mods/a', 'linux')).toBe('/mods/a');
});

it('a directory is copied where the file system has no links', async () => {
  const host = memoryHost({ platform: 'win32' });
  await host.files.makeDirectory('C:/mods/a');
  await host.files.writeFile('C:/mods/a/main.tf', 'locals {}');
  const { signal } = new AbortController();
  await fetchPackage({ host, scratch: 'scratch', signal }, 'C:/mods/a', 'destination');
  expect(await host.files.readText('destination/main.tf')).toBe('locals {}');
});
