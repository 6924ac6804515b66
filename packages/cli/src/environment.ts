/**
 * The environment with every `TERRANE_…` variable also present as `TF_…`, over one of that name:
 * either spelling works for every variable that Terraform documents.
 */
export function effectiveEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const aliases: Record<string, string | undefined> = {};
  let any = false;
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('TERRANE_')) continue;
    aliases[`TF_${name.slice('TERRANE_'.length)}`] = value;
    any = true;
  }
  return any ? { ...environment, ...aliases } : environment;
}
