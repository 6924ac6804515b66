import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Returns the path of the CLI configuration file, which is where Terraform and Terrane look for it. */
export function configPath(platform: string, env: Readonly<NodeJS.ProcessEnv>): string {
  const stated = env['TF_CLI_CONFIG_FILE'];
  if (stated !== undefined && stated !== '') return stated;
  return platform === 'win32'
    ? join(env['APPDATA'] ?? homedir(), 'terraform.rc')
    : join(env['HOME'] ?? homedir(), '.terraformrc');
}

/** Adds the token of a host to a CLI configuration file, which only the user may read. */
export function addCredentials(path: string, host: string, token: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  const text = `${separator}credentials ${hclText(host)} {\n  token = ${hclText(token)}\n}\n`;
  appendFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}

/** Returns a quoted string of HCL. */
function hclText(text: string): string {
  return JSON.stringify(text).replaceAll(/([$%])\{/g, (_, sign: string) => `${sign}${sign}{`);
}
