import { parseArgs } from 'node:util';
import { type Host, type OwnProcess, userErrorText } from '@terrane/host';
import { instructions } from './instructions.ts';
import { packageProvider, type PackageOptions } from './package-provider.ts';

const USAGE = `Usage: terrane-provider package --address ADDRESS --version VERSION --entry FILE [options]

Makes what publishing a provider takes: an executable and an archive for each
platform, the manifest for the registry, checksums, and a mirror.

  --address ADDRESS   source address: acme/thing, or registry.example.com/acme/thing
  --version VERSION   1.2.0; by default the version in package.json
  --entry FILE        main file of the provider, which calls serve; esbuild bundles it
  --bundle FILE       a bundle of your own making instead: one file, without imports
                      but of Node's own modules, in CommonJS or as a plain script
  --out DIR           where everything goes (dist)
  --platform OS_ARCH  a platform to package for; may be repeated
                      (darwin_amd64, darwin_arm64, linux_amd64, linux_arm64)
  --single OS_ARCH[=NODE]
                      makes an executable with Node inside for the platform, of the
                      Node program named (the running one); may be repeated. Needs
                      postject. Windows has no other way.
  --protocol VERSION  plugin protocol for the manifest; may be repeated (6.0)
  --condition NAME    export condition for esbuild; may be repeated
  --minify            shortens the bundle

Executables other than those of --single are scripts: who uses them needs
Node.js 22.18 or later on PATH.
`;

/** Runs the command `terrane-provider`. Returns its exit code. */
export async function main(process: OwnProcess, host: Host): Promise<number> {
  const [command, ...args] = process.args;
  if (command !== 'package') {
    const isHelpRequested =
      command === undefined || ['help', '-h', '-help', '--help'].includes(command);
    process.write(
      isHelpRequested ? 'stdout' : 'stderr',
      isHelpRequested ? USAGE : `There is no command ${command}.\n\n${USAGE}`,
    );
    return isHelpRequested ? 0 : 1;
  }
  try {
    const options = await packageOptions(args, host);
    if (options === 'help') {
      process.write('stdout', USAGE);
      return 0;
    }
    const packaged = await packageProvider(options, host, process.executable);
    process.write('stdout', instructions(packaged));
    return 0;
  } catch (error) {
    process.write('stderr', `Error: ${userErrorText(error)}\n`);
    return 1;
  }
}

/** Returns the version in the package.json of the working directory. */
async function projectVersion({ files }: Pick<Host, 'files'>): Promise<string> {
  if ((await files.stat('package.json')) !== undefined) {
    const manifest: unknown = JSON.parse(await files.readText('package.json'));
    if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
      if (typeof manifest.version === 'string') return manifest.version;
    }
  }
  throw new Error('--version is needed, because there is no package.json with a version');
}

/** Reads the options of the command line. @throws Error for invalid ones */
async function packageOptions(
  args: readonly string[],
  host: Host,
): Promise<PackageOptions | 'help'> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      address: { type: 'string' },
      version: { type: 'string' },
      entry: { type: 'string' },
      bundle: { type: 'string' },
      out: { type: 'string' },
      platform: { type: 'string', multiple: true },
      single: { type: 'string', multiple: true },
      protocol: { type: 'string', multiple: true },
      condition: { type: 'string', multiple: true },
      minify: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return 'help';
  const { address, version, entry, bundle, out, platform, single, protocol, condition, minify } =
    values;
  if (address === undefined) throw new Error('--address is needed');
  if ((entry === undefined) === (bundle === undefined)) {
    throw new Error('either --entry or --bundle is needed');
  }
  return {
    address,
    version: version ?? (await projectVersion(host)),
    ...(entry === undefined ? {} : { entry }),
    ...(bundle === undefined ? {} : { bundle }),
    ...(out === undefined ? {} : { out }),
    ...(platform === undefined ? {} : { platforms: platform }),
    ...(single === undefined ? {} : { single: new Map(single.map(splitSingle)) }),
    ...(protocol === undefined ? {} : { protocols: protocol }),
    ...(condition === undefined ? {} : { conditions: condition }),
    ...(minify === undefined ? {} : { minify }),
  };
}

function splitSingle(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
