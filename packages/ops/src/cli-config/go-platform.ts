import type { Environment } from '@terrane/host';

/** Returns the platform in the format of packages: `linux_amd64`. */
export function goPlatform({ platform, arch }: Pick<Environment, 'platform' | 'arch'>): string {
  const system = platform === 'win32' ? 'windows' : platform;
  const machine = arch === 'x64' ? 'amd64' : arch === 'ia32' ? '386' : arch;
  return `${system}_${machine}`;
}
