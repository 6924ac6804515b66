import type { Blame, RunRecord, RunStart, RunSummary, StateChanges } from '@terrane/history';

/** Version of the JSON documents of the history. */
export const FORMAT_VERSION = '1.0';

/** Returns the JSON form of a run in the list of runs. */
export function summaryJson(run: RunSummary): object {
  return {
    id: run.id,
    started: run.started,
    ended: run.ended,
    who: run.who,
    command: run.command,
    ...(run.mode === undefined ? {} : { mode: run.mode }),
    ...(run.reverts === undefined ? {} : { reverts: run.reverts }),
    outcome: run.outcome,
    objects: run.counts,
    open_operations: run.open,
    ...(run.plan === undefined ? {} : { plan_digest: run.plan }),
    ...(run.configuration === undefined ? {} : { configuration_digest: run.configuration }),
    ...(run.final === undefined ? {} : { serial: run.final.serial, lineage: run.final.lineage }),
  };
}

/** Returns the JSON form of a run that has not ended. */
export function pendingJson({ id, started, who, command }: RunStart): object {
  return { id, started, who, command };
}

/** Returns the JSON form of a run with its changes. */
export function runJson(record: RunRecord, changes: StateChanges | undefined): object {
  return {
    ...summaryJson(record),
    workspace: record.workspace,
    terrane_version: record.version,
    providers: record.providers,
    // Names only: values may be secrets even if they are not declared so.
    variables: (record.variables ?? []).map(({ name, sensitive }) => ({ name, sensitive })),
    ephemeral_variables: record.ephemeralVariables ?? [],
    targets: record.targets ?? [],
    excludes: record.excludes ?? [],
    replace: record.replace ?? [],
    errors: record.errors,
    overridden: record.overridden ?? [],
    open: record.openOperations,
    changes: changes ?? null,
  };
}

/** Returns the JSON form of the runs that changed the attributes of objects. */
export function blameJson({ objects }: Blame): readonly object[] {
  return objects.map(({ address, exists, attributes, runs }) => ({
    address,
    exists,
    attributes: attributes.map(({ run, ...attribute }) => ({
      ...attribute,
      run: run === undefined ? null : run.id,
    })),
    runs: runs.map(({ run, action }) => ({ run: run.id, action, who: run.who, at: run.started })),
  }));
}
