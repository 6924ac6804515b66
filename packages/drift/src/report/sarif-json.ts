import { createHash } from 'node:crypto';
import type { DriftEntry, DriftLevel, DriftReport } from '../model.ts';
import { type JsonData, jsonText } from './json-text.ts';
import { headlineOf, messageOf, rulesOf } from './words.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

const SEVERITIES: Readonly<Record<DriftLevel, 'error' | 'warning' | 'note'>> = {
  vanished: 'error',
  configured: 'error',
  referenced: 'warning',
  noise: 'note',
};

const DESCRIPTIONS: Readonly<Record<DriftLevel, string>> = {
  vanished: 'An object in the state does not exist any more.',
  configured: 'An argument that the configuration sets has another value.',
  referenced: 'A value that the configuration refers to has changed.',
  noise: 'A value that nothing depends on has changed.',
};

/** Formats a report as SARIF 2.1.0. Ignored entries are suppressed results. */
export function sarifJson(report: DriftReport, version: string): string {
  const levels = Object.keys(SEVERITIES) as DriftLevel[];
  return jsonText({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Terrane',
            version,
            rules: levels.map((level) => ({
              id: ruleId(level),
              shortDescription: { text: DESCRIPTIONS[level] },
              defaultConfiguration: { level: SEVERITIES[level] },
            })),
          },
        },
        invocations: [{ executionSuccessful: report.isComplete }],
        columnKind: 'utf16CodeUnits',
        results: report.entries.map((entry) => resultOf(entry, levels.indexOf(entry.level))),
      },
    ],
  });
}

const ruleId = (level: DriftLevel): string => `drift/${level}`;

function resultOf(entry: DriftEntry, ruleIndex: number): JsonData {
  const { address, level, location, isIgnored } = entry;
  const logical = { fullyQualifiedName: address, kind: 'resource' };
  return {
    ruleId: ruleId(level),
    ruleIndex,
    level: SEVERITIES[level],
    message: { text: messageOf(entry) },
    locations: [
      {
        ...(location === undefined
          ? {}
          : {
              physicalLocation: {
                artifactLocation: { uri: uriOf(location.file) },
                region: { startLine: location.line },
              },
            }),
        logicalLocations: [logical],
      },
    ],
    partialFingerprints: { 'terraneDrift/v1': fingerprintOf(entry) },
    suppressions: isIgnored
      ? rulesOf(entry).map(({ owner, reason, until, location: rule }) => ({
          kind: 'external',
          status: 'accepted',
          justification: `${owner}: ${reason} (until ${until})`,
          location: {
            physicalLocation: {
              artifactLocation: { uri: uriOf(rule.file) },
              region: { startLine: rule.line },
            },
          },
        }))
      : [],
  };
}

/** Returns a relative path as a URI reference. */
function uriOf(path: string): string {
  const uri = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${uri}` : uri;
}

/** Identifies an entry across runs: by its address, level and attributes, not by values. */
export function fingerprintOf(entry: DriftEntry): string {
  const paths = entry.changes.map(({ path }) => path);
  const identity = [entry.address, headlineOf(entry), ...paths].join('\n');
  return createHash('sha256').update(identity).digest('hex');
}
