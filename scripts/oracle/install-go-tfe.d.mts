export declare const GO_TFE_VERSIONS: readonly string[];
export declare function findGoTfe(
  version?: string,
): { readonly program: string; readonly source: string } | undefined;
