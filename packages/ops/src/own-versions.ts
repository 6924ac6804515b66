import type { Environment } from '@terrane/host';
import { OPENTOFU_VERSION, TERRAFORM_VERSION, TERRANE_VERSION } from '@terrane/engine/version';
import { goPlatform } from './cli-config/go-platform.ts';

/** Versions of the program itself. */
export interface OwnVersions {
  /** the version of Terraform whose language, states and plans are met */
  readonly terraform: string;
  /** the version of OpenTofu whose language `.tofu` files are in */
  readonly opentofu: string;
  readonly terrane: string;
  /** "linux_amd64", as Go names platforms */
  readonly platform: string;
}

/** Versions of the program on a machine. Loads nothing else. */
export function ownVersions(machine: Pick<Environment, 'platform' | 'arch'>): OwnVersions {
  return {
    terraform: TERRAFORM_VERSION,
    opentofu: OPENTOFU_VERSION,
    terrane: TERRANE_VERSION,
    platform: goPlatform(machine),
  };
}
