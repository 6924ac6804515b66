import type { Platform } from '@terrane/registry';

/** Formats a platform as `os_arch`. */
export function platformText({ os, arch }: Platform): string {
  return `${os}_${arch}`;
}
