import type { DriftEntry, DriftReport } from '../model.ts';
import { headlineOf, messageOf } from './words.ts';

/** Code hosts whose runners turn lines of the output into annotations. */
export const ANNOTATION_HOSTS = ['github', 'azure'] as const;

/** A code host of {@link ANNOTATION_HOSTS}. */
export type AnnotationHost = (typeof ANNOTATION_HOSTS)[number];

/** Returns a line for each alarm that the runner of a code host shows at the configuration. */
export function annotationLines(report: DriftReport, host: AnnotationHost): readonly string[] {
  return report.alarms.map((entry) => LINES[host](entry));
}

const LINES: Readonly<Record<AnnotationHost, (entry: DriftEntry) => string>> = {
  github(entry) {
    const { location } = entry;
    const title = `title=${githubProperty(`Drift: ${entry.address} ${headlineOf(entry)}`)}`;
    const properties =
      location === undefined
        ? title
        : `file=${githubProperty(location.file)},line=${location.line},${title}`;
    return `::${severityOf(entry)} ${properties}::${githubData(messageOf(entry))}`;
  },
  azure(entry) {
    const { location } = entry;
    const place =
      location === undefined
        ? ''
        : `sourcepath=${azureProperty(location.file)};linenumber=${location.line};`;
    const message = azureData(messageOf(entry));
    return `##vso[task.logissue type=${severityOf(entry)};${place}code=drift/${entry.level};]${message}`;
  },
};

function severityOf({ level }: DriftEntry): 'error' | 'warning' {
  return level === 'vanished' || level === 'configured' ? 'error' : 'warning';
}

/** Escapes a message; line breaks would end the command and could begin another one. */
function githubData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function githubProperty(text: string): string {
  return githubData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function azureData(text: string): string {
  return text.replaceAll('%', '%AZP25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function azureProperty(text: string): string {
  return azureData(text).replaceAll(';', '%3B').replaceAll(']', '%5D');
}
