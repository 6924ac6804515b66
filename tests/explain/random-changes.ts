// Random configurations of which a few lines change: everything that can change has a line of its own.
import type { Change, Moment } from './project.ts';

/** A place in a configuration, and what may stand there. */
interface Slot {
  readonly line: (choice: string) => string;
  readonly choices: readonly string[];
}

/** A generator of numbers that a seed decides (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** A project of some resources, locals, variables and modules that changes in a few places. */
export function randomChange(seed: number): Change {
  const random = numbers(seed * 7919);
  const pick = <T>(from: readonly T[]): T => {
    const choice = from[random(from.length)];
    if (choice === undefined) throw new Error('nothing to choose from');
    return choice;
  };
  const lines: (string | Slot)[] = [];
  const slot = (line: (choice: string) => string, choices: readonly string[]): void => {
    lines.push({ line, choices });
  };
  const words = ['"red"', '"green"', '"blue"'];
  const texts: string[] = [];
  for (let at = 0; at < 3; at++) {
    lines.push(`variable "v${at}" {`);
    slot((choice) => `  default = ${choice}`, words);
    lines.push('}', '');
    texts.push(`var.v${at}`);
  }
  lines.push('locals {');
  for (let at = 0; at < 3; at++) {
    const of = pick(texts);
    const form = random(4);
    if (form === 0) slot((choice) => `  l${at} = ${choice}`, words);
    else if (form === 1) slot((choice) => `  l${at} = "${choice}-\${${of}}"`, ['a', 'b', 'c']);
    else if (form === 2) lines.push(`  l${at} = ${of}`);
    else slot((choice) => `  l${at} = { x = ${choice}, y = ${of} }["y"]`, words);
    texts.push(`local.l${at}`);
  }
  slot(
    (choice) => `  keys = ${choice}`,
    ['{ a = 1, b = 2 }', '{ a = 1 }', '{ a = 1, b = 3 }', '{ a = 1, b = 2, c = 4 }'],
  );
  slot((choice) => `  n = ${choice}`, ['2', '1', '3']);
  lines.push('}', '');
  const value = (): string => {
    const of = pick(texts);
    switch (random(5)) {
      case 0:
        return of;
      case 1:
        return `"x-\${${of}}"`;
      case 2:
        return `upper(${of})`;
      case 3:
        return `${of} == "red" ? "warm" : "cold"`;
      default:
        return `join("+", [${of}, "end"])`;
    }
  };
  for (let at = 0; at < 5; at++) {
    const form = random(5);
    lines.push(`resource "test_thing" "t${at}" {`);
    if (form === 0) lines.push('  for_each = local.keys', '  size     = each.value');
    if (form === 1) lines.push('  count = local.n');
    const instanceKey = form === 0 ? '${each.key}' : form === 1 ? '${count.index}' : '';
    lines.push(`  name = "t${at}-${instanceKey}-\${${value().replaceAll('"', '"')}}"`);
    if (random(2) === 0) slot((choice) => `  kind = ${choice}`, words);
    else lines.push(`  kind = ${value()}`);
    if (random(3) === 0) lines.push(`  secret = ${value()}`);
    if (random(4) === 0 && at > 0 && form > 1)
      lines.push('  lifecycle {', `    replace_triggered_by = [test_thing.t${random(at)}]`, '  }');
    lines.push('}', '');
    if (form > 1) texts.push(`test_thing.t${at}.name`, `test_thing.t${at}.kind`);
    if (form > 1 && random(3) === 0) texts.push(`test_thing.t${at}.id`);
    if (form === 0) texts.push(`join(",", [for k, t in test_thing.t${at} : t.name])`);
    if (form === 1) texts.push(`join(",", test_thing.t${at}[*].kind)`);
  }
  lines.push('module "m" {', '  source = "./m"');
  if (random(2) === 0)
    lines.push('  for_each = local.keys', `  given = "\${each.key}-\${${pick(texts)}}"`);
  else lines.push(`  given = ${value()}`);
  slot((choice) => `  other = ${choice}`, words);
  lines.push('}', '', 'resource "terraform_data" "last" {');
  lines.push(`  input = { a = ${value()}, b = module.m }`);
  lines.push('}', '', 'output "o" {', `  value = [${value()}, ${value()}]`, '}');
  const slots = lines.flatMap((line, at) => (typeof line === 'string' ? [] : [at]));
  const isGiven = random(3) === 0;
  const changed = new Set(Array.from({ length: 1 + random(3) }, () => pick(slots)));
  // A supplied value hides the default: only one of the two changes.
  if (isGiven) changed.delete(slots[0] ?? -1);
  const text = (isChanged: boolean): string =>
    lines
      .map((line, at) => {
        if (typeof line === 'string') return line;
        const index =
          isChanged && changed.has(at) ? 1 + ((seed + at) % (line.choices.length - 1)) : 0;
        return line.line(line.choices[index] ?? '');
      })
      .join('\n');
  const moment = (isChanged: boolean): Moment => ({
    files: { 'main.tf': text(isChanged), 'm/main.tf': MODULE },
    ...(isChanged && isGiven ? { choices: { variables: { v0: 'yellow' } } } : {}),
  });
  return { name: `seed ${seed}`, before: moment(false), after: moment(true) };
}

const MODULE = `variable "given" {}

variable "other" {}

resource "test_thing" "inner" {
  name = var.given
  kind = "\${var.other}!"
}

output "name" {
  value = test_thing.inner.name
}
`;
