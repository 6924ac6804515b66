import { escapeXml, replaceNonXmlCharacters } from '@terrane/host';
import type { DriftEntry, DriftReport } from '../model.ts';
import { headlineOf, messageOf, rulesOf, ruleWords } from './words.ts';

/**
 * Formats a report as JUnit XML: one test case for each entry, which fails if it is an alarm and is skipped if rules
 * ignore it. A report without entries has one passed test case.
 */
export function junitXml(report: DriftReport): string {
  const alarms = new Set(report.alarms);
  const cases = report.entries.map((entry) => caseLines(entry, alarms.has(entry)));
  if (cases.length === 0)
    cases.push(['    <testcase name="no drift" classname="drift" time="0"/>']);
  const ignored = report.entries.filter(({ isIgnored }) => isIgnored).length;
  const counts = `tests="${cases.length}" failures="${alarms.size}" errors="0" skipped="${ignored}"`;
  const timestamp = report.timestamp.replace(/(\.\d+)?Z$/, '');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${text(`drift of workspace ${report.workspace}`)}" ${counts} time="0" timestamp="${text(timestamp)}" hostname="localhost">`,
    ...cases.flat(),
    '    <system-out/>',
    '    <system-err/>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseLines(entry: DriftEntry, isAlarm: boolean): readonly string[] {
  const head = `    <testcase name="${text(entry.address)}" classname="drift.${entry.level}" time="0"`;
  if (entry.isIgnored) {
    const rules = rulesOf(entry).map(ruleWords).join('; ');
    return [`${head}>`, `      <skipped>${text(rules)}</skipped>`, '    </testcase>'];
  }
  if (!isAlarm) return [`${head}/>`];
  const message = `${entry.address} ${headlineOf(entry)}`;
  return [
    `${head}>`,
    `      <failure message="${text(message)}" type="drift.${entry.level}">${text(messageOf(entry))}</failure>`,
    '    </testcase>',
  ];
}

const text = (value: string): string => escapeXml(replaceNonXmlCharacters(value));
