import type { ProviderConfigAddr } from '@terrane/addresses';
import { JsonWriter } from './json-writer.ts';
import type { DeposedKey, OutputState, State } from './model.ts';
import { ObjectSlice, providerKeyOf, writeObjectFields, writeSliceFields } from './object-json.ts';
import { ObjectFields } from './object-fields.ts';
import { currentOf, deposedOf, snapshotOf, type Slot } from './snapshot.ts';
import { checksToJson, joinBytes, writeOutput } from './statefile-write.ts';

/** Returns true if two states have the same statefile. Records that are the same object in both are not compared. */
export function sameState(left: State, right: State): boolean {
  if (left === right) return true;
  const a = snapshotOf(left);
  const b = snapshotOf(right);
  if (
    a.records.size !== b.records.size ||
    a.resourceRecords.size !== b.resourceRecords.size ||
    a.outputs.size !== b.outputs.size ||
    checksToJson(a.checks ?? []) !== checksToJson(b.checks ?? [])
  ) {
    return false;
  }
  for (const [name, output] of a.outputs) {
    const other = b.outputs.get(name);
    if (other === undefined || !sameOutput(output, other)) return false;
  }
  if (a.resourceRecords !== b.resourceRecords) {
    for (const [resource, record] of a.resourceRecords.entries()) {
      const other = b.resourceRecords.get(resource);
      if (other?.instances !== record.instances || other.provider !== record.provider) return false;
    }
  }
  if (a.records === b.records) return true;
  for (const [address, record] of a.records.entries()) {
    const other = b.records.get(address);
    if (other === record) continue;
    if (other === undefined) return false;
    const provider = a.resourceRecords.get(address.resource)?.provider;
    if (provider === undefined) return false;
    if (!sameSlot(currentOf(record), currentOf(other), provider)) return false;
    if (!sameDeposed(deposedOf(record), deposedOf(other), provider)) return false;
  }
  return true;
}

function sameOutput(a: OutputState, b: OutputState): boolean {
  if (a === b) return true;
  if (a.sensitive !== b.sensitive || a.value.type !== b.value.type) return false;
  return sameBytes(
    (out) => writeOutput(out, a, 0),
    (out) => writeOutput(out, b, 0),
  );
}

function sameDeposed(
  a: ReadonlyMap<DeposedKey, Slot> | undefined,
  b: ReadonlyMap<DeposedKey, Slot> | undefined,
  provider: ProviderConfigAddr,
): boolean {
  if (a === b) return true;
  if (a === undefined || b?.size !== a.size) return false;
  for (const [key, slot] of a) {
    if (!sameSlot(slot, b.get(key), provider)) return false;
  }
  return true;
}

function sameSlot(a: Slot | undefined, b: Slot | undefined, provider: ProviderConfigAddr): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return sameBytes(
    (out) => writeSlot(out, a, provider),
    (out) => writeSlot(out, b, provider),
  );
}

function writeSlot(out: JsonWriter, slot: Slot, provider: ProviderConfigAddr): void {
  if (slot instanceof ObjectSlice) {
    const fields = slot.source.fieldsAt(slot.from, new ObjectFields());
    const tainted = fields.status !== -1 && slot.source.json.stringAt(fields.status) === 'tainted';
    out.text(tainted ? 'tainted' : 'ready');
    out.text(providerKeyOf(slot.source.json, fields) ?? '');
    writeSliceFields(out, slot, fields, provider, 0);
  } else {
    out.text(slot.status);
    out.text(slot.provider.key ?? '');
    writeObjectFields(out, slot, 0);
  }
}

function sameBytes(a: (out: JsonWriter) => void, b: (out: JsonWriter) => void): boolean {
  const leftWriter = new JsonWriter();
  const rightWriter = new JsonWriter();
  a(leftWriter);
  b(rightWriter);
  const x = joinBytes(leftWriter.takeAll());
  const y = joinBytes(rightWriter.takeAll());
  return x.length === y.length && x.every((byte, i) => byte === y[i]);
}
