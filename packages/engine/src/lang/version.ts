/**
 * The Terraform version that Terrane is compatible with: the version for `required_version`, in states and plans, and
 * for providers.
 */
export const TERRAFORM_VERSION = '1.11.4' as const;

/** The newest minor version of Terraform whose language is understood, with all that it adds to that of 1.11. */
export const NEWEST_TERRAFORM_MINOR = 16;

/** The OpenTofu version whose behaviour `.tofu` files meet, and that their `required_version` is held against. */
export const OPENTOFU_VERSION = '1.12.6' as const;

/** Version of this program. */
export const TERRANE_VERSION: string = '0.1.0';
