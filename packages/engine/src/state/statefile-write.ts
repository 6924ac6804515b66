import type {
  AbsResource,
  CheckableKind,
  InstanceKey,
  ProviderConfigAddr,
} from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import { typeToJson, valueToJson } from '@terrane/cty';
import { JsonWriter, jsonString } from './json-writer.ts';
import type { CheckResults, OutputState, StateFile } from './model.ts';
import { ObjectSlice, providerKeyOf, writeObjectFields, writeSliceFields } from './object-json.ts';
import { ObjectFields } from './object-fields.ts';
import { currentOf, deposedOf, snapshotOf, type Slot, type Snapshot } from './snapshot.ts';

/** The names of the kinds of checkable objects in statefiles. */
export const CHECK_KIND_NAMES: Readonly<Record<CheckableKind, string>> = {
  resource: 'resource',
  output_value: 'output',
  check: 'check',
  input_variable: 'var',
};

const FIELDS = new ObjectFields();

/**
 * Writes a state file of version 4, byte for byte as Terraform does, in chunks of a quarter megabyte. Each is created
 * on demand, so that a writer that awaits its file between chunks does not block other work. Objects that were read
 * from a state file are copied and not parsed. The receiver owns each chunk.
 */
export function* writeStateFile(file: StateFile): Iterable<Uint8Array> {
  const out = new JsonWriter();
  const snapshot = snapshotOf(file.state);
  out.text(
    `{\n  "version": 4,\n  "terraform_version": ${jsonString(file.terraformVersion)},\n` +
      `  "serial": ${file.serial},\n  "lineage": ${jsonString(file.lineage)},\n  "outputs": `,
  );
  writeOutputs(out, snapshot.outputs);
  out.text(',\n  "resources": ');
  yield* writeResources(out, snapshot);
  out.text(',\n  "check_results": ');
  writeChecks(out, snapshot.checks);
  out.text('\n}\n');
  yield* out.takeAll();
}

/** Returns a complete state file; for small ones. */
export function stateFileBytes(file: StateFile): Uint8Array {
  return joinBytes([...writeStateFile(file)]);
}

/** Chunks as one piece. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const only = chunks[0];
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function writeOutputs(out: JsonWriter, outputs: ReadonlyMap<string, OutputState>): void {
  if (outputs.size === 0) {
    out.text('{}');
    return;
  }
  out.text('{');
  let first = true;
  for (const [name, output] of [...outputs].sort(([a], [b]) => compareText(a, b))) {
    out.text(`${first ? '' : ','}\n    ${jsonString(name)}: `);
    first = false;
    writeOutput(out, output, 2);
  }
  out.text('\n  }');
}

/** An output as statefiles have it: value, type and, if it is so, that it is sensitive. */
export function writeOutput(out: JsonWriter, output: OutputState, depth: number): void {
  const { value } = output;
  out.text('{');
  out.line(depth + 1);
  out.text('"value": ');
  out.jsonText(valueToJson(value, value.type), depth + 1);
  out.text(',');
  out.line(depth + 1);
  out.text('"type": ');
  out.jsonText(JSON.stringify(typeToJson(value.type)), depth + 1);
  if (output.sensitive) {
    out.text(',');
    out.line(depth + 1);
    out.text('"sensitive": true');
  }
  out.line(depth);
  out.text('}');
}

function* writeResources(out: JsonWriter, snapshot: Snapshot): Iterable<Uint8Array> {
  const resources = snapshot.resources();
  if (resources.length === 0) {
    out.text('[]');
    return;
  }
  const recordOf = snapshot.recordsInOrder();
  out.text('[');
  let first = true;
  for (const resource of resources) {
    const record = snapshot.resourceRecords.get(resource);
    if (record === undefined) continue;
    const { module, resource: address } = resource;
    out.text(first ? '\n    {' : ',\n    {');
    first = false;
    if (!module.isRoot) out.text(`\n      "module": ${jsonString(module.text)},`);
    out.text(
      `\n      "mode": "${address.mode}",\n      "type": ${jsonString(address.type)},\n` +
        `      "name": ${jsonString(address.name)},\n`,
    );
    const keyed = record.keyed === true && hasKeys(snapshot, resource);
    if (!keyed) out.text(`      "provider": ${jsonString(record.provider.text)},\n`);
    out.text('      "instances": [');
    let empty = true;
    for (const instance of snapshot.instancesOf(resource)) {
      const instanceRecord = recordOf(instance);
      const current = currentOf(instanceRecord);
      if (current !== undefined) {
        writeInstance(out, current, instance.key, undefined, record.provider, keyed, empty);
        empty = false;
      }
      for (const [key, slot] of deposedOf(instanceRecord) ?? []) {
        writeInstance(out, slot, instance.key, key, record.provider, keyed, empty);
        empty = false;
      }
      if (out.hasFull) yield* out.takeFull();
    }
    out.text(empty ? ']\n    }' : '\n      ]\n    }');
  }
  out.text('\n  ]');
}

/** Returns true if any object belongs to a keyed provider instance. Then each object is written with its provider. */
function hasKeys(snapshot: Snapshot, resource: AbsResource): boolean {
  for (const address of snapshot.instancesOf(resource)) {
    const record = snapshot.records.get(address);
    const slots = [currentOf(record), ...(deposedOf(record)?.values() ?? [])];
    if (slots.some((slot) => slot !== undefined && keyOfSlot(slot) !== undefined)) return true;
  }
  return false;
}

function keyOfSlot(slot: Slot): string | undefined {
  if (!(slot instanceof ObjectSlice)) return slot.provider.key;
  return providerKeyOf(slot.source.json, slot.source.fieldsAt(slot.from, FIELDS));
}

function writeInstance(
  out: JsonWriter,
  slot: Slot,
  key: InstanceKey,
  deposed: string | undefined,
  provider: ProviderConfigAddr,
  keyed: boolean,
  first: boolean,
): void {
  const start = first ? '\n        {\n' : ',\n        {\n';
  if (typeof key === 'number') out.text(`${start}          "index_key": ${key},\n`);
  else if (key === undefined) out.text(start);
  else out.text(`${start}          "index_key": ${jsonString(key)},\n`);
  const isSlice = slot instanceof ObjectSlice;
  if (isSlice) slot.source.fieldsAt(slot.from, FIELDS);
  const tainted = isSlice
    ? FIELDS.status !== -1 && slot.source.json.stringAt(FIELDS.status) === 'tainted'
    : slot.status === 'tainted';
  if (tainted) out.text('          "status": "tainted",\n');
  if (deposed !== undefined) out.text(`          "deposed": ${jsonString(deposed)},\n`);
  if (keyed) {
    const ownProvider = provider.instance(
      isSlice ? providerKeyOf(slot.source.json, FIELDS) : slot.provider.key,
    );
    out.text(`          "provider": ${jsonString(ownProvider.text)},\n`);
  }
  out.text('          ');
  if (isSlice) writeSliceFields(out, slot, FIELDS, provider, 5);
  else writeObjectFields(out, slot, 5);
  out.text('\n        }');
}

function writeChecks(out: JsonWriter, checks: CheckResults | undefined): void {
  if (checks === undefined || checks.length === 0) {
    out.text('null');
    return;
  }
  out.jsonText(checksToJson(checks), 1);
}

/** Check results as compact JSON, as statefiles have them. */
export function checksToJson(checks: CheckResults): string {
  return JSON.stringify(
    checks.map((check) => ({
      object_kind: CHECK_KIND_NAMES[check.kind],
      config_addr: check.configAddr,
      status: check.status,
      objects:
        check.objects.length === 0
          ? null
          : check.objects.map((object) => ({
              object_addr: object.address,
              status: object.status,
              ...(object.messages.length === 0 ? {} : { failure_messages: object.messages }),
            })),
    })),
  );
}
