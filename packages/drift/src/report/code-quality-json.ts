import type { DriftLevel, DriftReport } from '../model.ts';
import { jsonText } from './json-text.ts';
import { fingerprintOf } from './sarif-json.ts';
import { messageOf } from './words.ts';

const SEVERITIES: Readonly<Record<DriftLevel, string>> = {
  vanished: 'critical',
  configured: 'major',
  referenced: 'minor',
  noise: 'info',
};

/** Formats the alarms of a report as a GitLab code quality report. */
export function codeQualityJson(report: DriftReport): string {
  return jsonText(
    report.alarms.map((entry) => ({
      description: messageOf(entry),
      check_name: `drift/${entry.level}`,
      fingerprint: fingerprintOf(entry),
      severity: SEVERITIES[entry.level],
      location: {
        // The format requires a location; objects without a block are shown at the root module.
        path: entry.location?.file ?? '.',
        lines: { begin: entry.location?.line ?? 1 },
      },
    })),
  );
}
