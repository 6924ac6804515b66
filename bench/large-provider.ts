import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The `required_providers` block for the provider with the large schema. */
export const LARGE_REQUIRED = `terraform {
  required_providers {
    large = { source = "bench/large" }
  }
}
`;

/** A CLI configuration with which a provider is run from a folder. */
export function overrideOf(provider: string, folder: string): string {
  return `provider_installation {\n  dev_overrides {\n    ${JSON.stringify(provider)} = ${JSON.stringify(folder)}\n  }\n  direct {}\n}\n`;
}

/**
 * Builds the provider with the large schema; the folder of its executable, undefined where that can't be done.
 *
 * @param types of 100 attributes each
 */
export function largeProvider(scratch: string, root: string, types: number): string | undefined {
  const folder = join(scratch, `large-schema-${types}`);
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, 'terraform-provider-large');
  const built = spawnSync(
    'go',
    ['build', '-ldflags', `-X main.resourceTypes=${types}`, '-o', executable, '.'],
    { cwd: join(root, 'bench', 'large-schema'), stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return built.status === 0 ? folder : undefined;
}
