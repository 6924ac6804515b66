/** The text that replaces a sensitive value of any type. */
export const REDACTED = '(sensitive value)';

type Json = unknown;
type JsonRecord = Record<string, Json>;

/**
 * Replaces the sensitive values in a plan or state as `show -json` prints it, which contains them. Constants of the
 * configuration section are omitted, because literals of sensitive arguments are among them, and so are values of
 * sensitive variables. Providers copy sensitive values into attributes that nobody declared sensitive, so texts that
 * contain a replaced text are replaced too.
 */
export function redactedJson(text: string): string {
  const secrets = new Secrets();
  const document = parseExact(text);
  if (isRecord(document)) redactDocument(document, secrets);
  return JSON.stringify(secrets.removedFrom(document));
}

/** Shorter texts, such as "true" or a region, are also common as values that are not secret. */
const MIN_SECRET_LENGTH = 6;
/** The number of texts that are searched for within others; further ones are only compared with whole texts. */
const MAX_SEARCHED = 500;

/** Returns the sensitive texts of a plan or state as `show -json` prints it. */
export function secretsOf(text: string): Secrets {
  const secrets = new Secrets();
  const document = parseExact(text);
  if (isRecord(document)) redactDocument(document, secrets);
  return secrets;
}

/** The texts that were replaced in a document. */
export class Secrets {
  readonly #texts: Set<string> = new Set();
  #searched: readonly string[] | undefined;

  /** Remembers the texts in a value that is replaced. */
  add(value: Json): void {
    this.#searched = undefined;
    if (typeof value === 'string') {
      if (value.length >= MIN_SECRET_LENGTH && value !== REDACTED) this.#texts.add(value);
      return;
    }
    if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) this.add(part);
  }

  /** Returns a document without the remembered texts. */
  removedFrom(document: Json): Json {
    if (this.#texts.size === 0) return document;
    return mapTexts(document, (text) => (this.includedIn(text) ? REDACTED : text));
  }

  /** Returns true if a text contains a remembered one. */
  includedIn(text: string): boolean {
    if (this.#texts.has(text)) return true;
    this.#searched ??= [...this.#texts].slice(0, MAX_SEARCHED);
    return this.#searched.some((secret) => text.includes(secret));
  }
}

function mapTexts(part: Json, map: (text: string) => string): Json {
  if (typeof part === 'string') return map(part);
  if (Array.isArray(part)) return part.map((item: Json) => mapTexts(item, map));
  // Numbers with their exact digits are objects without members.
  if (!isRecord(part) || isRawNumber(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, member]) => [name, mapTexts(member, map)]),
  );
}

function isRawNumber(part: JsonRecord): boolean {
  const isRaw: unknown = Reflect.get(JSON, 'isRawJSON');
  return typeof isRaw === 'function' && Reflect.apply(isRaw, JSON, [part]) === true;
}

/** Replaces the values of sensitive outputs in the document of `output -json`. */
export function redactedOutputsJson(text: string): string {
  const document = parseExact(text);
  const secrets = new Secrets();
  if (isRecord(document)) redactOutputs(document, secrets);
  return JSON.stringify(secrets.removedFrom(document), undefined, 2);
}

/** Parses JSON and keeps the digits of numbers that JavaScript would round. */
function parseExact(text: string): Json {
  return JSON.parse(text, function revive(_key, value: unknown, ...more: readonly unknown[]) {
    const [context] = more;
    if (typeof value !== 'number' || !isRecord(context)) return value;
    const { source } = context;
    return typeof source === 'string' && String(value) !== source ? exactNumber(source) : value;
  });
}

/** Creates a value that is printed as it was written. `JSON.rawJSON` is not part of TypeScript's library yet. */
function exactNumber(source: string): unknown {
  const raw: unknown = Reflect.get(JSON, 'rawJSON');
  return typeof raw === 'function' ? Reflect.apply(raw, JSON, [source]) : Number(source);
}

function redactDocument(document: JsonRecord, secrets: Secrets): void {
  const sensitiveVariables = new Set<string>();
  const { configuration, variables } = document;
  if (isRecord(configuration)) redactConfiguration(configuration, sensitiveVariables);
  if (isRecord(variables))
    for (const [name, variable] of Object.entries(variables))
      if (isRecord(variable) && (sensitiveVariables.has(name) || !isRecord(configuration)))
        variable['value'] = redact(variable['value'], secrets);
  for (const section of ['resource_changes', 'resource_drift'])
    for (const item of itemsOf(document[section])) redactChange(item['change'], secrets);
  for (const item of itemsOf(document['deferred_changes'])) {
    const inner = item['resource_change'];
    if (isRecord(inner)) redactChange(inner['change'], secrets);
  }
  const { output_changes: outputChanges, planned_values: planned, prior_state: prior } = document;
  if (isRecord(outputChanges))
    for (const change of Object.values(outputChanges)) redactChange(change, secrets);
  for (const section of ['action_invocations', 'deferred_action_invocations'])
    for (const item of itemsOf(document[section])) redactInvocation(item, secrets);
  if (isRecord(planned)) redactValues(planned, secrets);
  if (isRecord(prior) && isRecord(prior['values'])) redactValues(prior['values'], secrets);
  if (isRecord(document['values'])) redactValues(document['values'], secrets);
}

function redactChange(change: Json, secrets: Secrets): void {
  if (!isRecord(change)) return;
  for (const side of ['before', 'after'])
    if (side in change) change[side] = redacted(change[side], change[`${side}_sensitive`], secrets);
  // Generated configuration may contain literals of sensitive arguments.
  if ('generated_config' in change) change['generated_config'] = REDACTED;
}

function redactInvocation(item: JsonRecord, secrets: Secrets): void {
  const inner = isRecord(item['action_invocation']) ? item['action_invocation'] : item;
  if ('config_values' in inner)
    inner['config_values'] = redacted(inner['config_values'], inner['config_sensitive'], secrets);
}

/** Redacts the resources and outputs of a state or of planned values. */
function redactValues(values: JsonRecord, secrets: Secrets): void {
  if (isRecord(values['outputs'])) redactOutputs(values['outputs'], secrets);
  if (isRecord(values['root_module'])) redactModule(values['root_module'], secrets);
}

function redactModule(module: JsonRecord, secrets: Secrets): void {
  for (const resource of itemsOf(module['resources'])) {
    if ('values' in resource)
      resource['values'] = redacted(resource['values'], resource['sensitive_values'], secrets);
  }
  for (const child of itemsOf(module['child_modules'])) redactModule(child, secrets);
}

function redactOutputs(outputs: JsonRecord, secrets: Secrets): void {
  for (const output of Object.values(outputs))
    if (isRecord(output) && output['sensitive'] === true && 'value' in output)
      output['value'] = redact(output['value'], secrets);
}

/** Removes constants, and collects the names of sensitive variables of the root module. */
function redactConfiguration(configuration: JsonRecord, sensitiveVariables: Set<string>): void {
  const { root_module: root } = configuration;
  if (isRecord(root) && isRecord(root['variables']))
    for (const [name, variable] of Object.entries(root['variables']))
      if (isRecord(variable) && (variable['sensitive'] === true || variable['ephemeral'] === true))
        sensitiveVariables.add(name);
  removeConstants(configuration);
}

function removeConstants(part: Json): void {
  if (Array.isArray(part)) {
    for (const item of part) removeConstants(item);
    return;
  }
  if (!isRecord(part)) return;
  delete part['constant_value'];
  if (part['sensitive'] === true && 'default' in part) part['default'] = REDACTED;
  for (const member of Object.values(part)) removeConstants(member);
}

/** Replaces the parts of a value that a structure of flags marks; a flag without a value replaces nothing. */
function redacted(value: Json, flags: Json, secrets: Secrets): Json {
  if (flags === true) return value === null ? null : redact(value, secrets);
  if (Array.isArray(value) && Array.isArray(flags))
    return value.map((item, index) => redacted(item, flags[index], secrets));
  if (isRecord(value) && isRecord(flags)) {
    const result: JsonRecord = { ...value };
    for (const [name, flag] of Object.entries(flags))
      if (name in result) result[name] = redacted(result[name], flag, secrets);
    return result;
  }
  return value;
}

function redact(value: Json, secrets: Secrets): string {
  secrets.add(value);
  return REDACTED;
}

function itemsOf(items: Json): readonly JsonRecord[] {
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

function isRecord(value: Json): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
