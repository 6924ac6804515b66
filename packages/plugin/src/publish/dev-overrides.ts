/** Returns the block of the CLI configuration that makes programs run the provider in a directory. */
export function devOverrides(source: string, directory: string): string {
  return `  provider_installation {
    dev_overrides {
      ${JSON.stringify(source)} = ${JSON.stringify(directory)}
    }
    direct {}
  }`;
}
