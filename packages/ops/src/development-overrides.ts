import { ProviderSource } from '@terrane/engine';
import type { Project } from './project.ts';

/**
 * Directories with providers under development, by provider: `dev_overrides` in the `provider_installation`
 * block of the user's CLI configuration (`TF_CLI_CONFIG_FILE`, or `.terraformrc` in the home directory).
 * Empty where there is no such file.
 */
export function developmentOverrides(project: Project): ReadonlyMap<ProviderSource, string> {
  const { files, environment } = project.host;
  const overrides = new Map<ProviderSource, string>();
  const path = configurationPath(environment);
  if (path === undefined || files.statSync(path)?.kind !== 'file') return overrides;
  const text = new TextDecoder().decode(files.readFileSync(path));
  for (const [address, directory] of developmentOverridesIn(text)) {
    const source = ProviderSource.parse(address);
    if (!('error' in source)) overrides.set(source, directory);
  }
  return overrides;
}

function configurationPath(environment: Project['host']['environment']): string | undefined {
  const given = environment.get('TF_CLI_CONFIG_FILE');
  if (given !== undefined && given !== '') return given;
  if (environment.platform === 'win32') {
    const data = environment.get('APPDATA');
    return data === undefined ? undefined : `${data}\\terraform.rc`;
  }
  const home = environment.homeDirectory;
  return home === undefined ? undefined : `${home}/.terraformrc`;
}

/** The pairs of address and directory in the text of a CLI configuration file. */
export function developmentOverridesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open: string[] = [];
  let key = '';
  let assigned = false;
  for (const [token, string] of tokensOf(text)) {
    if (token === '{') {
      open.push(key);
      key = '';
      assigned = false;
    } else if (token === '}') {
      open.pop();
      key = '';
      assigned = false;
    } else if (token === '=') assigned = true;
    else if (assigned) {
      const within = open.join(' ') === 'provider_installation dev_overrides';
      if (within && string !== undefined) found.set(key, string);
      assigned = false;
      key = '';
    } else key = string ?? token;
  }
  return found;
}

// The file's syntax is that of HCL 1, where the names of arguments may be quoted.
const TOKEN = /#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/|"((?:[^"\\\n]|\\.)*)"|[{}=]|[\w.-]+|[^\s]/g;

function* tokensOf(text: string): Generator<readonly [token: string, string: string | undefined]> {
  for (const [token, quoted] of text.matchAll(TOKEN)) {
    if (/^(?:#|\/\/|\/\*)/.test(token)) continue;
    yield [token, quoted?.replaceAll(/\\(.)/g, '$1')];
  }
}
