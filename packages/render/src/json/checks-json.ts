import { compareText } from '@terrane/cty';
import type { CheckResult, CheckResults } from '@terrane/engine';
import { jsonArray, JsonMembers, jsonString } from './json-text.ts';

/** Check results as in the plan and state JSON: by address, messages sorted. */
export function checksJson(results: CheckResults): string {
  const sorted = [...results].sort((a, b) => compareText(a.configAddr, b.configAddr));
  return jsonArray(sorted.map(checkJson));
}

function checkJson(result: CheckResult): string {
  const objects = [...result.objects].sort((a, b) => compareText(a.address, b.address));
  const instances = objects.map((object) => {
    const problems = [...object.messages].sort(compareText);
    return new JsonMembers()
      .add('address', dynamicAddress(object.address, result.kind))
      .add('status', jsonString(object.status))
      .add(
        'problems',
        problems.length === 0
          ? undefined
          : jsonArray(problems.map((message) => `{"message":${jsonString(message)}}`)),
      )
      .text();
  });
  return new JsonMembers()
    .add('address', staticAddress(result))
    .add('status', jsonString(result.status))
    .add('instances', instances.length === 0 ? undefined : jsonArray(instances))
    .text();
}

/** The parts of a static address; members sorted, as Go writes a map. */
function staticAddress(result: CheckResult): string {
  const { module, local } = splitModule(result.configAddr);
  const parts = local.split('.');
  const members = new JsonMembers();
  if (result.kind === 'resource') {
    const mode = parts.length === 3 ? parts[0] : undefined;
    const [type = '', name = ''] = mode === undefined ? parts : parts.slice(1);
    return members
      .add('kind', '"resource"')
      .add('mode', jsonString(mode ?? 'managed'))
      .addText('module', module)
      .add('name', jsonString(name))
      .add('to_display', jsonString(result.configAddr))
      .add('type', jsonString(type))
      .text();
  }
  return members
    .add('kind', jsonString(result.kind === 'input_variable' ? 'var' : result.kind))
    .addText('module', module)
    .add('name', jsonString(parts[1] ?? ''))
    .add('to_display', jsonString(result.configAddr))
    .text();
}

function dynamicAddress(address: string, kind: CheckResult['kind']): string {
  const { module, local } = splitModule(address);
  const bracket = kind === 'resource' ? local.indexOf('[') : -1;
  return new JsonMembers()
    .add('instance_key', bracket === -1 ? undefined : keyJson(local.slice(bracket + 1, -1)))
    .addText('module', module)
    .add('to_display', jsonString(address))
    .text();
}

function keyJson(text: string): string {
  return text.startsWith('"') ? jsonString(unquote(text)) : text;
}

/** The text of a key quoted as in an address. */
function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(
      /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\(.)|\$\$\{|%%\{/g,
      (all, short?: string, long?: string, simple?: string) => {
        const code = short ?? long;
        if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
        if (simple !== undefined) return UNESCAPED.get(simple) ?? simple;
        return all.slice(1);
      },
    );
}

const UNESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const MODULE_STEP = /^module\.[^.[]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?\./;

/** Splits the module instance off an address. */
function splitModule(address: string): { readonly module: string; readonly local: string } {
  let end = 0;
  for (;;) {
    const step = MODULE_STEP.exec(address.slice(end));
    if (step === null) break;
    end += step[0].length;
  }
  return { module: end === 0 ? '' : address.slice(0, end - 1), local: address.slice(end) };
}
