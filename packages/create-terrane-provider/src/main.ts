import { type Host, type OwnProcess, userErrorText } from '@terrane/host';
import { parseArgs } from 'node:util';
import { generate } from './generate.ts';
import { parseName } from './project-name.ts';

const USAGE = `Usage: npm create terrane-provider -- ADDRESS [options]

Generates a project for a Terraform provider in TypeScript.

  ADDRESS             source address: acme/thing, or registry.example.com/acme/thing
  --directory DIR     target directory (terraform-provider-TYPE); must be empty
  --terrane VERSION   version of the SDK packages (that of this program)
`;

/** Runs the command `create-terrane-provider`. `template` is the directory of the template. Returns its exit code. */
export async function main(
  process: Pick<OwnProcess, 'args' | 'write'>,
  host: Pick<Host, 'files'>,
  template: string,
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...process.args],
      allowPositionals: true,
      options: {
        directory: { type: 'string' },
        terrane: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) {
      process.write('stdout', USAGE);
      return 0;
    }
    const [address, ...others] = positionals;
    if (address === undefined || others.length > 0) {
      process.write('stderr', `Error: one source address is needed\n\n${USAGE}`);
      return 1;
    }
    const name = parseName(address);
    const directory = values.directory ?? `terraform-provider-${name.type}`;
    const version = values.terrane ?? (await ownVersion(host, template));
    const written = await generate({ name, directory, template, version }, host.files);
    process.write('stdout', nextSteps(directory, written));
    return 0;
  } catch (error) {
    process.write('stderr', `Error: ${userErrorText(error)}\n`);
    return 1;
  }
}

/** Returns the version in the manifest beside the template. All packages of Terrane have the same version. */
async function ownVersion({ files }: Pick<Host, 'files'>, template: string): Promise<string> {
  const manifest: unknown = JSON.parse(await files.readText(`${template}/../package.json`));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
    return String(manifest.version);
  }
  throw new Error('The package of this program has no version. Set the version with --terrane.');
}

function nextSteps(directory: string, written: readonly string[]): string {
  return `Created ${written.length} files in ${directory}.

  cd ${directory}
  npm install
  npm test             # acceptance tests, without Terraform
  npm run package      # the plugin, into dist
  TF_CLI_CONFIG_FILE=dist/dev.tfrc terraform -chdir=examples plan

Replace src/client.ts with the client of your API. README.md describes the files.
`;
}
