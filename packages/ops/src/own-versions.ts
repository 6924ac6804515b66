import type { Environment } from '@terrane/host';
import { OPENTOFU_VERSION, TERRAFORM_VERSION, TERRANE_VERSION } from '@terrane/engine/version';
import { goPlatform } from './cli-config/go-platform.ts';

/** Versions of the program itself. */
export interface OwnVersions {
  /** the supported version of Terraform, for language, states and plans */
  readonly terraform: string;
  /** the supported version of OpenTofu, for the language of `.tofu` files */
  readonly opentofu: string;
  readonly terrane: string;
  /** "linux_amd64", as Go names platforms */
  readonly platform: string;
}

/** Returns the versions of the program on a machine. Loads no other code. */
export function ownVersions(machine: Pick<Environment, 'platform' | 'arch'>): OwnVersions {
  return {
    terraform: TERRAFORM_VERSION,
    opentofu: OPENTOFU_VERSION,
    terrane: TERRANE_VERSION,
    platform: goPlatform(machine),
  };
}
