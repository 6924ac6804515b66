// One process of several: installs providers into a directory, by way of a cache.
import { installWithTerrane } from './install.ts';

async function main([directory = '', cache = '', required = '']: readonly string[]): Promise<void> {
  const { problems } = await installWithTerrane(undefined, directory, {
    required: Object.fromEntries(required.split(',').map((source) => [source, ''])),
    cache,
  });
  process.stdout.write(problems.length === 0 ? 'ok\n' : `${JSON.stringify(problems)}\n`);
}

void main(process.argv.slice(2));
