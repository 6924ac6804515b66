/** Names that variables of modules cannot have, because calls use them. */
const RESERVED = [
  'source',
  'version',
  'providers',
  'count',
  'for_each',
  'lifecycle',
  'depends_on',
  'locals',
];

/** Chooses unique names of variables and outputs, one for each reference. */
export class Names {
  readonly #used: Set<string>;
  readonly #byText: Map<string, string> = new Map();

  constructor(used: Iterable<string> = []) {
    this.#used = new Set([...RESERVED, ...used]);
  }

  /** The names by text of the reference, in order of their first use. */
  get all(): ReadonlyMap<string, string> {
    return this.#byText;
  }

  /** Returns the name for a reference such as `aws_vpc.main.id`: "main_id". */
  of(text: string): string {
    const existing = this.#byText.get(text);
    if (existing !== undefined) return existing;
    const base = baseName(text);
    let name = base;
    for (let number = 2; this.#used.has(name); number++) name = `${base}_${number}`;
    this.#used.add(name);
    this.#byText.set(text, name);
    return name;
  }
}

function baseName(text: string): string {
  const parts = text.split('.');
  const skipped = parts[0] === 'data' || parts[0] === 'ephemeral' ? 2 : 1;
  const name = parts
    .slice(parts.length > skipped ? skipped : 0)
    .join('_')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replace(/_$/, '');
  return /^[A-Za-z_]/.test(name) ? name : `value_${name}`;
}
