/**
 * The Terraform version that Terrane is compatible with: the version for `required_version`, in states and plans, and
 * for providers.
 */
export const TERRAFORM_VERSION = '1.11.4' as const;

/** The newest minor version of Terraform whose language is supported, including its additions since 1.11. */
export const NEWEST_TERRAFORM_MINOR = 16;

/** The OpenTofu version that `.tofu` files are compatible with, and that their `required_version` refers to. */
export const OPENTOFU_VERSION = '1.12.6' as const;

/** Version of this program. */
export const TERRANE_VERSION: string = '0.1.0';
