/**
 * The Terraform version whose behaviour and formats are met: what `required_version` is held against, what
 * states and plans name, what providers are told.
 */
export const TERRAFORM_VERSION = '1.11.4' as const;

/** The OpenTofu version that modules with `.tofu` files are held against. */
export const OPENTOFU_VERSION = '1.9.0' as const;

/** Version of this program. */
export const TERRANE_VERSION: string = '0.1.0';
