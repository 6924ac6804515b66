/** The path of the built terraform-ls; undefined if it is not built. */
export function findTerraformLs(): string | undefined;

/** The folder of the handler tests of terraform-ls; undefined if their source was not downloaded. */
export function findHandlerTests(): string | undefined;
