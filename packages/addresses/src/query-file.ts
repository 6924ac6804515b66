const QUERY_FILE = /\.tfquery\.(?:hcl|json)$/;

/** Returns true if a file holds queries, by its name. */
export function isQueryFile(name: string): boolean {
  return QUERY_FILE.test(name);
}
