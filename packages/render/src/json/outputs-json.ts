import { typeToJsonText } from '@terrane/cty';
import type { OutputState } from '@terrane/engine';
import { indentJson, JsonMembers, jsonObject } from './json-text.ts';
import { valueJson } from './value-json.ts';

/** Formats all outputs as `output -json` prints them: on several lines, without a final line feed. */
export function outputsJson(outputs: ReadonlyMap<string, OutputState>): string {
  const members = [...outputs].map(([name, output]) => {
    const json = new JsonMembers()
      .add('sensitive', String(output.sensitive))
      .add('type', typeToJsonText(output.value.type))
      .add('value', valueJson(output.value) ?? 'null')
      .text();
    return [name, json] as const;
  });
  return indentJson(jsonObject(members));
}

/** Formats the value of one output as `output -json NAME` does. */
export function outputJson(output: OutputState): string {
  return valueJson(output.value) ?? 'null';
}
