import { type Path, valueToJson } from '@terrane/cty';
import type { State } from '@terrane/engine';
import { REDACTED, Secrets } from './secrets.ts';

type Json = unknown;
type JsonRecord = Record<string, Json>;

/**
 * Replaces the sensitive values in a plan or state as `show -json` prints it, which contains them. Constants of the
 * configuration section are omitted, because literals of sensitive arguments are among them, and so are values of
 * sensitive variables. Copies of sensitive values are replaced, too (see {@link Secrets}).
 */
export function redactedJson(text: string): string {
  const secrets = new Secrets();
  const document = parseExact(text);
  if (isRecord(document)) redactDocument(document, secrets);
  return JSON.stringify(secrets.removedFrom(document));
}

/** Returns the sensitive texts of a plan or state as `show -json` prints it. */
export function secretsOf(text: string): Secrets {
  const secrets = new Secrets();
  const document = parseExact(text);
  if (isRecord(document)) redactDocument(document, secrets);
  return secrets;
}

/**
 * Replaces the values of sensitive outputs in the document of `output -json`, and copies of sensitive values of the
 * state in the others.
 */
export function redactedOutputsJson(text: string, state: State): string {
  const document = parseExact(text);
  const secrets = storedSecrets(state);
  if (isRecord(document)) redactOutputs(document, secrets);
  return JSON.stringify(secrets.removedFrom(document), undefined, 2);
}

/** Replaces an output in the document of `output -json NAME` if it is sensitive, and copies in it otherwise. */
export function redactedOutputJson(text: string, isSensitive: boolean, state: State): string {
  if (isSensitive) return JSON.stringify(REDACTED);
  const secrets = storedSecrets(state);
  if (secrets.isEmpty) return text;
  const { value } = secrets.removedFrom({ value: parseExact(text) }) as JsonRecord;
  return JSON.stringify(value);
}

/** Returns the sensitive texts of the outputs of a state, and of the objects as far as the state marks them. */
function storedSecrets(state: State): Secrets {
  const secrets = new Secrets();
  for (const { value, sensitive } of state.outputs.values())
    if (sensitive) secrets.add(parseExact(valueToJson(value, value.type)));
  for (const addr of state.instances()) {
    const instance = state.instance(addr);
    for (const object of [instance?.current, ...(instance?.deposed.values() ?? [])]) {
      if (object?.attributesJson === undefined || object.sensitivePaths.length === 0) continue;
      const attributes = parseExact(object.attributesJson);
      for (const path of object.sensitivePaths) secrets.add(partAt(attributes, path));
    }
  }
  return secrets;
}

/** Returns the part of a stored value at a path, or the value that contains it if the path ends earlier. */
function partAt(stored: Json, [step, ...rest]: Path): Json {
  if (step === undefined) return stored;
  // The stored form of a value whose type the schema leaves open has its type and content; paths do not mention it.
  const part =
    isRecord(stored) && 'type' in stored && 'value' in stored && Object.keys(stored).length === 2
      ? stored['value']
      : stored;
  if (step.kind === 'attr') return isRecord(part) ? partAt(part[step.name], rest) : part;
  const { key } = step;
  if (!key.isKnown || key.isNull || typeof part !== 'object' || part === null) return part;
  if (key.type.kind === 'number' && Array.isArray(part)) return partAt(part[key.asInt()], rest);
  return key.type.kind === 'string' && isRecord(part) ? partAt(part[key.asString()], rest) : part;
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
