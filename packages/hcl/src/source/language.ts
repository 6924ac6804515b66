const OPENTOFU_FILE = /\.(?:tofu|tofu\.json|tofu(?:test|mock)\.(?:hcl|json))$/;

/** Returns true if a file is in OpenTofu's form of the language, by its name: all others are in Terraform's. */
export function isOpenTofuFile(filename: string): boolean {
  return OPENTOFU_FILE.test(filename);
}
