import { AbsResource, type InstanceAddr, ResourceAddr } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { ImportedObject } from '@terrane/provider';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import type { WantedInstance } from '../objects/wanted-instance.ts';
import { refreshStored } from '../objects/stored.ts';
import type { Adoption } from './settings.ts';
import { importedLive, nonExistent } from './import.ts';
import type { PlanRun } from './run.ts';

/**
 * Imports the objects with an ID into the state, as the `import` command does: reads each one, regardless of its
 * configuration. Further objects get a name suffix (`NAME-1`); objects of other types get the type that the provider
 * returns.
 */
export async function adoptObjects(
  run: PlanRun,
  wanted: WantedInstance,
  { id }: Adoption,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { addr, provider } = wanted;
  run.emit({ kind: 'import-start', addr, id });
  const response = await provider.importResourceState({
    type: addr.resource.resource.type,
    address: addr.text,
    id,
    several: true,
  });
  const problems = diagnosticsOf(response.diagnostics, {});
  diagnostics.push(...problems);
  if (hasErrors(problems)) return;
  if (response.deferred !== undefined) {
    diagnostics.push(deferredImport(addr));
    return;
  }
  const { imported } = response;
  run.emit({ kind: 'import-found', addr, types: imported.map(({ type }) => type) });
  const targets = targetsOf(addr, imported);
  const conflicts = targets.filter((target) => run.prior.instance(target.addr) !== undefined);
  diagnostics.push(...conflicts.map((target) => alreadyManaged(target.addr)));
  if (conflicts.length > 0) return;
  for (const { addr: to, object } of targets)
    await importObject(run, wanted, to, object, diagnostics);
}

interface ImportTarget {
  readonly addr: InstanceAddr;
  readonly object: ImportedObject;
}

/** Returns the target address of each object. */
function targetsOf(
  addr: InstanceAddr,
  imported: readonly ImportedObject[],
): readonly ImportTarget[] {
  const counts = new Map<InstanceAddr, number>();
  return imported.map((object) => {
    const addrOfObject = renamedAddress(addr, object.type, addr.resource.resource.name);
    const count = counts.get(addrOfObject);
    counts.set(addrOfObject, (count ?? 0) + 1);
    if (count === undefined) return { addr: addrOfObject, object };
    const name = `${addr.resource.resource.name}-${count}`;
    return { addr: renamedAddress(addr, object.type, name), object };
  });
}

function renamedAddress({ resource, key }: InstanceAddr, type: string, name: string): InstanceAddr {
  const resourceAddr = ResourceAddr.of('managed', type, name);
  return AbsResource.of(resource.module, resourceAddr).instance(key);
}

async function importObject(
  run: PlanRun,
  wanted: WantedInstance,
  addr: InstanceAddr,
  imported: ImportedObject,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { provider, providerAddr } = wanted;
  const schema = run.schemas.resource(providerAddr.provider, 'managed', imported.type);
  if (schema === undefined) return;
  // Its configuration does not affect the read, so diagnostics must not refer to it.
  const subject = { addr, schema, provider, resource: undefined };
  const live = importedLive(subject, providerAddr, imported);
  const { object, failed } = await refreshStored(run, subject, live, diagnostics);
  if (failed) return;
  if (object === undefined) {
    diagnostics.push(nonExistent(addr));
    return;
  }
  run.adopt({ kind: 'put', addr, object: object.stored });
  if (addr === wanted.addr) wanted.cell.set(wanted.key, object.value);
}

function deferredImport(addr: InstanceAddr): Diagnostic {
  return errorDiagnostic(
    'Cannot import deferred remote object',
    `While attempting to import an existing object to ${quoteText(addr.text)}, the provider deferred the import, which this command does not support. Use an import block instead, or apply the dependencies of the object first.`,
  );
}

function alreadyManaged(addr: InstanceAddr): Diagnostic {
  return errorDiagnostic(
    'Resource already managed by Terraform',
    `Terraform is already managing a remote object for ${addr.text}. To import to this address you must first remove the existing object from the state.`,
  );
}
