import { compareText, parseJson, typeFromJson } from '@terrane/cty';
import { typedDiff } from '../diff/attribute-diff.ts';
import { wholeChange } from '../diff/change.ts';
import { plainValue } from '../diff/plain.ts';
import { type ShownDiagnostic, shownDiagnosticText } from '../human/diagnostic-text.ts';
import { draw } from '../human/draw.ts';
import { topOptions } from '../human/options.ts';
import { paletteOf } from '../human/palette.ts';
import { integer, items, type Members, membersOf, plainJson, text } from '../json/json-node.ts';
import { valueOf } from '../json/read-value-json.ts';
import { colorize, type TextStyle } from '../text/style.ts';

/** A line of a log in JSON, as `-json` prints it. */
export interface LogRecord {
  readonly type: string;
  readonly members: Members;
}

/** A line of a log as a record; `undefined`: it is plain text. */
export function logRecord(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const members = membersOf(parseJson(line));
    return { type: text(members.get('type')), members };
  } catch {
    return undefined;
  }
}

/** Fields hidden in human-readable output. */
const UNSHOWN: ReadonlySet<string> = new Set([
  'refresh_complete',
  'version',
  'planned_change',
  'provision_complete',
  'provision_errored',
  'apply_errored',
  'ephemeral_op_errored',
  'test_abstract',
  'test_status',
  'test_retry',
  'test_plan',
  'test_state',
  'test_interrupt',
]);

const BOLD: ReadonlySet<string> = new Set([
  'apply_start',
  'apply_complete',
  'refresh_start',
  'provision_start',
  'resource_drift',
  'ephemeral_op_start',
  'ephemeral_op_complete',
]);

/** Formats a log record of a remote run as Terraform does, with final line feeds; "" if the record is not shown. */
export function logText({ type, members }: LogRecord, style: TextStyle): string {
  if (UNSHOWN.has(type)) return '';
  const { color } = style;
  const message = text(members.get('@message'));
  if (BOLD.has(type)) return `${around('[bold]%s[reset]', message, color)}\n`;
  switch (type) {
    case 'diagnostic':
      return shownDiagnosticText(diagnosticOf(membersOf(members.get('diagnostic'))), {
        ...style,
        width: 78,
        leftRule: true,
      });
    case 'outputs':
      return outputsOf(membersOf(members.get('outputs')), color);
    case 'provision_progress': {
      const hook = membersOf(members.get('hook'));
      const address = text(membersOf(hook.get('resource')).get('addr'));
      const start = around(
        '[bold]%s:[reset]',
        `${address}: (${text(hook.get('provisioner'))})`,
        color,
      );
      return `${start} ${text(hook.get('output'))}\n`;
    }
    case 'change_summary':
      return `\n${around('[bold][green]%s[reset]', message, color)}\n\n`;
    default:
      return `${message}\n`;
  }
}

/** Inserts a text into a pattern; tags in the text are not interpreted as colours. */
function around(pattern: string, inner: string, color: boolean): string {
  return colorize(pattern, color).replace('%s', () => inner);
}

function diagnosticOf(json: Members): ShownDiagnostic {
  const range = json.get('range');
  const snippet = json.get('snippet');
  return {
    severity: json.get('severity') === 'warning' ? 'warning' : 'error',
    summary: text(json.get('summary')),
    detail: text(json.get('detail')),
    address: json.has('address') ? text(json.get('address')) : undefined,
    origin: text(json.get('deprecation_origin_description')),
    place:
      range === undefined
        ? undefined
        : {
            filename: text(membersOf(range).get('filename')),
            line: integer(membersOf(membersOf(range).get('start')).get('line')),
          },
    snippet: snippet instanceof Map ? snippetOf(membersOf(snippet)) : undefined,
  };
}

function snippetOf(json: Members): NonNullable<ShownDiagnostic['snippet']> {
  const code = text(json.get('code'));
  const bytes = Buffer.from(code);
  // Positions count bytes.
  const at = (name: string): number =>
    bytes.subarray(0, integer(json.get(name))).toString('utf8').length;
  const call = json.get('function_call');
  const context = json.get('context');
  return {
    context: typeof context === 'string' ? context : undefined,
    code,
    startLine: integer(json.get('start_line')),
    highlightStart: at('highlight_start_offset'),
    highlightEnd: at('highlight_end_offset'),
    values: items(json.get('values')).map((each) => ({
      traversal: text(membersOf(each).get('traversal')),
      statement: text(membersOf(each).get('statement')),
    })),
    ...(call instanceof Map ? { functionCall: callOf(membersOf(call)) } : {}),
  };
}

function callOf(
  json: Members,
): NonNullable<NonNullable<ShownDiagnostic['snippet']>['functionCall']> {
  const signature = json.get('signature');
  const name = text(json.get('called_as'));
  if (!(signature instanceof Map)) return { name };
  const of = membersOf(signature);
  const nameOf = (node: Parameters<typeof membersOf>[0]): string =>
    text(membersOf(node).get('name'));
  const parameters = items(of.get('params')).map(nameOf);
  const variadic = of.get('variadic_param');
  if (variadic instanceof Map) parameters.push(`${nameOf(variadic)}...`);
  return { name, parameters };
}

function outputsOf(outputs: Members, color: boolean): string {
  if (outputs.size === 0) return '';
  const lines = [colorize('[bold][green]Outputs:[reset]', color)];
  const options = topOptions(paletteOf({ color }), { showUnchanged: true });
  for (const name of [...outputs.keys()].sort(compareText)) {
    const output = membersOf(outputs.get(name));
    const type = typeFromJson(plainJson(output.get('type') ?? null));
    const isSensitive = output.get('sensitive') === true;
    const value = plainValue(valueOf(output.get('value') ?? null, false, false, type));
    const change = wholeChange(value, value, {
      beforeSensitive: isSensitive,
      afterSensitive: isSensitive,
    });
    lines.push(`${name} = ${draw(typedDiff(change, type), 0, options)}`);
  }
  return `${lines.join('\n')}\n`;
}
