import { plainFromValue, type PlainValue, SensitiveValue } from '@terrane/cty';
import type { OutputState, Plan, PlannedChange } from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import { diagnosticText } from '@terrane/render';

/** A planned change of one object, as JavaScript data. */
export interface PlainChange {
  readonly address: string;
  readonly action: PlannedChange['action'];
  /** the reason for a replacement or deletion, as in the JSON plan */
  readonly reason?: string;
  /** key of the deposed object that the change is about */
  readonly deposed?: string;
  /** null if there is no object */
  readonly before: PlainValue;
  readonly after: PlainValue;
}

/** A diagnostic as JavaScript data. Lines and columns count from 1. */
export interface PlainDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  /** the object that the diagnostic is about */
  readonly address?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** Returns the text of {@link formatDiagnostic}; not enumerable, so it is in neither JSON nor logs. */
  readonly format: (width?: number) => string;
}

/** Converts outputs to JavaScript data by name. Those that are sensitive become {@link SensitiveValue}. */
export function plainOutputs(
  outputs: ReadonlyMap<string, OutputState>,
): Readonly<Record<string, PlainValue>> {
  return Object.fromEntries(
    Array.from(outputs, ([name, { value, sensitive }]) => {
      const plain = plainFromValue(value);
      const isHidden = sensitive && !(plain instanceof SensitiveValue);
      return [name, isHidden ? new SensitiveValue(plain) : plain];
    }),
  );
}

/** Converts the planned changes, without no-ops, to JavaScript data, in the order of the plan. */
export function plainChanges(plan: Pick<Plan, 'changes'>): readonly PlainChange[] {
  return plan.changes.filter(({ action }) => action !== 'no-op').map(plainChange);
}

/** Converts a planned change to JavaScript data. */
export function plainChange({
  addr,
  action,
  reason,
  deposed,
  before,
  after,
}: PlannedChange): PlainChange {
  return {
    address: addr.text,
    action,
    ...(reason === undefined ? {} : { reason }),
    ...(deposed === undefined ? {} : { deposed }),
    before: plainFromValue(before),
    after: plainFromValue(after),
  };
}

/** Converts the planned outputs to JavaScript data by name, without those that are removed. */
export function plainPlannedOutputs({
  outputs,
}: Pick<Plan, 'outputs'>): Readonly<Record<string, PlainValue>> {
  const remaining = outputs.filter(({ action }) => action !== 'delete');
  return plainOutputs(
    new Map(remaining.map(({ name, after, sensitive }) => [name, { value: after, sensitive }])),
  );
}

/** Converts a diagnostic to JavaScript data, with its position as line and column. */
export function plainDiagnostic(diagnostic: Diagnostic): PlainDiagnostic {
  const { severity, summary, detail, subject, address } = diagnostic;
  const base = { severity, summary, detail, ...(address === undefined ? {} : { address }) };
  const plain = subject === undefined ? base : { ...base, ...placeOf(subject) };
  const format: PlainDiagnostic['format'] = (width) => formatDiagnostic(diagnostic, width);
  return Object.defineProperty(plain, 'format', { value: format }) as PlainDiagnostic;
}

function placeOf({
  filename,
  from,
  to,
}: NonNullable<Diagnostic['subject']>): Pick<
  PlainDiagnostic,
  'file' | 'line' | 'column' | 'endLine' | 'endColumn'
> {
  const { line, column } = from;
  return { file: filename, line, column, endLine: to.line, endColumn: to.column };
}

/** Formats a diagnostic as the program prints it: with location and source code, without colors. */
export function formatDiagnostic(diagnostic: Diagnostic, width: number = 78): string {
  return diagnosticText(diagnostic, { color: false, width }).trim();
}
