import type { Diagnostic } from '@terrane/hcl';
import { locationOf } from '../location.ts';
import type {
  AppliedRule,
  DriftedAttribute,
  DriftEntry,
  DriftLocation,
  DriftReport,
  Prediction,
  ReportedValue,
} from '../model.ts';
import { type JsonData, jsonText, RawJson } from './json-text.ts';
import { countsOf } from './words.ts';

/** Version of the document; the major version changes with incompatible changes. */
const FORMAT_VERSION = '1.0';

/** Formats a report as one JSON document; docs/drift.md describes it. */
export function driftJson(report: DriftReport): string {
  const { alarms, ignored, below } = countsOf(report);
  const alarming = new Set(report.alarms);
  return jsonText({
    format_version: FORMAT_VERSION,
    workspace: report.workspace,
    timestamp: report.timestamp,
    complete: report.isComplete,
    level: report.threshold,
    summary: { alarms, ignored, below_level: below },
    entries: report.entries.map((entry) => entryJson(entry, alarming.has(entry))),
    expired_rules: report.expiredRules.map(ruleJson),
    unused_rules: report.unusedRules.map(ruleJson),
    diagnostics: report.diagnostics.map(diagnosticJson),
  });
}

function entryJson(entry: DriftEntry, isAlarm: boolean): JsonData {
  const { address, kind, level, isVanished, isIgnored, location, changes, ignoredBy } = entry;
  return {
    address,
    kind,
    level,
    alarm: isAlarm,
    vanished: isVanished,
    ignored: isIgnored,
    at: location === undefined ? undefined : locationJson(location),
    ignored_by: ignoredBy === undefined ? undefined : ruleJson(ignoredBy),
    changes: changes.map(changeJson),
    plan: predictionJson(entry.prediction),
  };
}

function changeJson(change: DriftedAttribute): JsonData {
  const { path, level, before, after, configuredAt, references, ignoredBy } = change;
  return {
    attribute: path,
    level,
    ...valueMembers('before', before),
    ...valueMembers('after', after),
    configured_at: configuredAt === undefined ? undefined : locationJson(configuredAt),
    ignore_changes: change.isIgnoredByConfiguration,
    references: references.map(({ from, location }) => ({ from, at: locationJson(location) })),
    ignored_by: ignoredBy === undefined ? undefined : ruleJson(ignoredBy),
  };
}

function valueMembers(name: string, value: ReportedValue): Readonly<Record<string, JsonData>> {
  switch (value.kind) {
    case 'absent':
      return {};
    case 'known':
      return { [name]: new RawJson(value.json) };
    default:
      return { [`${name}_${value.kind}`]: true };
  }
}

function predictionJson(prediction: Prediction): JsonData {
  const { action, summary, explanationJson, consequences } = prediction;
  return {
    action,
    summary,
    explanation: explanationJson === undefined ? undefined : new RawJson(explanationJson),
    consequences: consequences.map((each) => ({ address: each.address, action: each.action })),
  };
}

function ruleJson({ location, owner, reason, until }: AppliedRule): JsonData {
  return { at: locationJson(location), owner, reason, until };
}

function locationJson({ file, line }: DriftLocation): JsonData {
  return { filename: file, line };
}

function diagnosticJson({ severity, summary, detail, subject }: Diagnostic): JsonData {
  const at = subject === undefined ? undefined : locationJson(locationOf(subject));
  return { severity, summary, detail, at };
}
