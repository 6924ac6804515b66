/** Reports whether a path is a source file whose style is counted: TypeScript of a package, a provider or a script, without tests, test data and generated files. */
export function isCounted(path: string): boolean {
  return (
    /^(packages|providers)\/[^/]+\/src\/.*\.ts$|^scripts\/.*\.ts$/.test(path) &&
    !/\.test\.ts$|\.d\.ts$|\/(testing|fixtures|goldens|recorded|generated)\//.test(path)
  );
}
