import type { Environment } from '@terrane/host';

/** A platform, with Go's names. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

/** `linux_amd64` */
export function platformText({ os, arch }: Platform): string {
  return `${os}_${arch}`;
}

/** Parses `linux_amd64`; `error` has Terraform's text. */
export function parsePlatform(text: string): Platform | { readonly error: string } {
  const parts = text.split('_');
  const [os, arch] = parts;
  if (parts.length !== 2 || os === undefined || arch === undefined) {
    return { error: 'must be two words separated by an underscore' };
  }
  if (/[ \t\n\r]/.test(os)) return { error: 'OS portion must not contain whitespace' };
  if (/[ \t\n\r]/.test(arch)) {
    return { error: 'architecture portion must not contain whitespace' };
  }
  return { os, arch };
}

/** The machine that this runs on. */
export function currentPlatform({ platform, arch }: Environment): Platform {
  return {
    os: platform === 'win32' ? 'windows' : platform,
    arch: arch === 'x64' ? 'amd64' : arch === 'ia32' ? '386' : arch,
  };
}
