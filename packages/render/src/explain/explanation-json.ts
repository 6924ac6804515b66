import type { Cause, Explanation } from '@terrane/engine';
import type { Range } from '@terrane/hcl';
import { jsonArray, JsonMembers, jsonString } from '../json/json-text.ts';
import { actionsJson } from '../json/plan-json.ts';
import { sensitiveJson, unknownJson, valueJson } from '../json/value-json.ts';
import type { Value } from '@terrane/cty';
import { causeWords, pathWords } from './cause-words.ts';

/** Version of the document format; the major version changes with incompatible changes. */
const EXPLANATION_FORMAT = '1.0';

/** Formats explanations as one JSON document without sensitive values; docs/explain.md describes it. */
export function explanationsJson(explanations: readonly Explanation[]): string {
  return new JsonMembers()
    .add('format_version', jsonString(EXPLANATION_FORMAT))
    .add('explanations', jsonArray(explanations.map(explanationJson)))
    .text();
}

/** Formats an explanation as JSON. */
export function explanationJson(explanation: Explanation): string {
  const { address, kind, deposed, action, reason, deferred, causes, unknown } = explanation;
  return new JsonMembers()
    .add('address', jsonString(address))
    .add('kind', jsonString(kind))
    .addText('deposed', deposed)
    .add('actions', action === 'invoke' ? '["invoke"]' : actionsJson(action))
    .addText('action_reason', reason)
    .addText('deferred', deferred)
    .add('causes', jsonArray(causes.map(causeJson)))
    .add(
      'unknown',
      jsonArray(
        unknown.map((entry) =>
          new JsonMembers()
            .add('attribute', jsonString(pathWords(entry.attribute)))
            .add('causes', jsonArray(entry.causes.map(causeJson)))
            .text(),
        ),
      ),
    )
    .text();
}

function causeJson(cause: Cause): string {
  const { kind, address, attribute, range, before, after, action, origin, name, key } = cause;
  const members = new JsonMembers()
    .add('kind', jsonString(kind))
    .add('text', jsonString(causeWords(cause)))
    .addText('address', address)
    .addText('attribute', attribute === undefined ? undefined : pathWords(attribute))
    .add('at', range === undefined ? undefined : placeJson(range));
  addValue(members, 'before', before);
  addValue(members, 'after', after);
  members
    .add('actions', action === undefined ? undefined : actionsJson(action))
    .add('origin', origin === undefined ? undefined : originJson(origin))
    .addText('name', name)
    .add('key', key === undefined ? undefined : JSON.stringify(key))
    .add('present', cause.present === undefined ? undefined : String(cause.present))
    .addFlag('possible', cause.possible === true)
    .addFlag('told', cause.isExplainedElsewhere === true)
    .add('causes', jsonArray(cause.causes.map(causeJson)));
  return members.text();
}

function addValue(members: JsonMembers, name: string, value: Value | undefined): void {
  if (value === undefined) return;
  const isSecret = value.hasMarkDeep('sensitive') || value.hasMarkDeep('ephemeral');
  if (isSecret) members.add(`${name}_sensitive`, sensitiveJson(value));
  else members.add(name, valueJson(value));
  if (!value.isWhollyKnown()) members.add(`${name}_unknown`, unknownJson(value));
}

function placeJson({ filename, from }: Range): string {
  return new JsonMembers()
    .add('filename', jsonString(filename))
    .add('line', String(from.line))
    .add('column', String(from.column))
    .text();
}

function originJson({ source, name, line }: NonNullable<Cause['origin']>): string {
  return new JsonMembers()
    .add('source', jsonString(SOURCES[source]))
    .addText('name', name)
    .add('line', line === undefined ? undefined : String(line))
    .text();
}

const SOURCES: Readonly<Record<NonNullable<Cause['origin']>['source'], string>> = {
  default: 'default',
  env: 'environment',
  autoFile: 'file',
  file: 'file',
  cli: 'option',
  input: 'input',
  plan: 'plan',
  caller: 'caller',
};
