/** The names of a generated provider. */
export interface ProjectName {
  /** host of the registry: `registry.terraform.io` */
  readonly host: string;
  readonly namespace: string;
  /** type as in the source address: `my-cloud` */
  readonly type: string;
}

const LABEL = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const HOST = /^[a-z0-9][a-z0-9.-]*\.[a-z0-9-]+(?::\d+)?$/;

/**
 * Parses a source address such as "acme/thing".
 *
 * @throws Error if it is not a source address, or its names are not usable as names in the project
 */
export function parseName(address: string): ProjectName {
  const parts = address.toLowerCase().split('/');
  const [type = '', namespace = '', host = 'registry.terraform.io'] = parts.toReversed();
  if (parts.length < 2 || parts.length > 3 || !HOST.test(host)) {
    throw new Error(
      `${JSON.stringify(address)} is not a source address. Write namespace and type, such as acme/thing.`,
    );
  }
  for (const label of [namespace, type]) {
    if (LABEL.test(label) && !label.includes('--')) continue;
    throw new Error(
      `${JSON.stringify(label)} is not a valid name. Use letters, digits and single hyphens, and begin with a letter.`,
    );
  }
  if (type.startsWith('terraform-')) {
    throw new Error(
      `The type of a provider does not begin with "terraform-": write ${namespace}/${type.slice('terraform-'.length).replace(/^provider-/, '')}.`,
    );
  }
  return { host, namespace, type };
}

/** Replaces the names of the template in a text. */
export function replaceNames(text: string, { host, namespace, type }: ProjectName): string {
  const camel = type.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const names: Readonly<Record<string, string>> = {
    'registry.example.com': host,
    examplecorp: namespace,
    'example-cloud': type,
    // Prefix of resource types and local name of the provider: Terraform takes the text before the first underscore.
    examplecloud: type.replaceAll('-', ''),
    exampleCloud: camel,
    ExampleCloud: camel.charAt(0).toUpperCase() + camel.slice(1),
  };
  return text.replaceAll(
    /registry\.example\.com|examplecorp|example-cloud|examplecloud|exampleCloud|ExampleCloud/g,
    (placeholder) => names[placeholder] ?? placeholder,
  );
}
