import { dirname } from 'node:path';
import { devOverrides } from './dev-overrides.ts';
import type { PackagedProvider } from './package-provider.ts';
import { sourceAddress } from './provider-name.ts';

/** Formats the next steps after packaging. */
export function instructions({
  name,
  out,
  checksums,
  mirror,
  executable,
  developmentConfig,
  archives,
}: PackagedProvider): string {
  const { host, namespace, type, version } = name;
  const source = sourceAddress(name);
  const full = `${host}/${namespace}/${type}`;
  return `Packaged ${source} ${version} into ${out}:

${archives.map((path) => `  ${path.slice(out.length + 1)}`).join('\n')}

To publish it, sign the checksums with a key that your registry knows (RSA or DSA), and put the
archives, the manifest, the checksums and the signature into a release v${version}:

  gpg --detach-sign ${checksums}

To use it without a registry, name the mirror in the CLI configuration (~/.terraformrc):

  provider_installation {
    filesystem_mirror {
      path    = ${JSON.stringify(mirror)}
      include = [${JSON.stringify(full)}]
    }
    direct {
      exclude = [${JSON.stringify(full)}]
    }
  }

The same directory, served over HTTPS, is a network mirror:

  provider_installation {
    network_mirror {
      url = "https://example.com/providers/"
    }
  }
${
  executable === undefined
    ? ''
    : `
While you work on it, let Terraform run the executable itself; \`init\` is not needed then. The file
${developmentConfig} does it, if TF_CLI_CONFIG_FILE names it:

${devOverrides(source, dirname(executable))}
`
}`;
}
