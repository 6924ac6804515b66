const QUERY_FILE = /\.tfquery\.(?:hcl|json)$/;

/** Returns true if the name is that of a query file. */
export function isQueryFile(name: string): boolean {
  return QUERY_FILE.test(name);
}
