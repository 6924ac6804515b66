/** Formatting options of human-readable text. */
export interface TextStyle {
  /** escape sequences for colors; without them diagnostics also have no left rule */
  readonly color: boolean;
  /** columns at which paragraphs are wrapped (78 when piped, as Terraform); 0 or 1: no wrapping */
  readonly width: number;
  /** true in automation: omits commands that a user would type next */
  readonly automation?: boolean;
  /** draws the left rule of diagnostics also without color, as Terraform does before it has parsed its flags */
  readonly leftRule?: boolean;
  /**
   * True for a terminal: alignment and wrapping use display columns. Otherwise bytes and code points, as in Terraform.
   */
  readonly terminal?: boolean;
  /** summaries count objects that are forgotten, as OpenTofu's do */
  readonly countsForgotten?: boolean;
  /** `-show-sensitive`: shows sensitive values */
  readonly showSensitive?: boolean;
  /** returns the link target for a line of a file, if links are enabled */
  readonly link?: ((filename: string, line: number) => string | undefined) | undefined;
}

const CODES: ReadonlyMap<string, string> = new Map([
  ['default', '39'],
  ['_default_', '49'],
  ['black', '30'],
  ['red', '31'],
  ['green', '32'],
  ['yellow', '33'],
  ['blue', '34'],
  ['magenta', '35'],
  ['cyan', '36'],
  ['light_gray', '37'],
  ['dark_gray', '90'],
  ['light_red', '91'],
  ['light_green', '92'],
  ['light_yellow', '93'],
  ['light_blue', '94'],
  ['light_magenta', '95'],
  ['light_cyan', '96'],
  ['white', '97'],
  ['_black_', '40'],
  ['_red_', '41'],
  ['_green_', '42'],
  ['_yellow_', '43'],
  ['_blue_', '44'],
  ['_magenta_', '45'],
  ['_cyan_', '46'],
  ['_light_gray_', '47'],
  ['_dark_gray_', '100'],
  ['_light_red_', '101'],
  ['_light_green_', '102'],
  ['_light_yellow_', '103'],
  ['_light_blue_', '104'],
  ['_light_magenta_', '105'],
  ['_light_cyan_', '106'],
  ['_white_', '107'],
  ['bold', '1'],
  ['dim', '2'],
  ['underline', '4'],
  ['blink_slow', '5'],
  ['blink_fast', '6'],
  ['invert', '7'],
  ['hidden', '8'],
  ['reset', '0'],
  ['reset_bold', '21'],
]);

const LONGEST_TAG = Math.max(...Array.from(CODES.keys(), ({ length }) => length)) + 1;

/**
 * Converts tags such as `[bold]` to escape sequences, or removes them without color. Other text in brackets is
 * unchanged. A text with at least one tag ends with a reset. User text inside `text` is converted too: Terraform passes
 * whole lines through the colorstring library, so an import ID such as "a[red]" loses its tag there too.
 */
export function colorize(text: string, color: boolean): string {
  let result = '';
  let resumeAt = 0;
  let end = -1;
  // A tag begins with a letter or an underscore. Most brackets of a large plan enclose keys of instances, which are
  // skipped without a look at their content.
  for (let start = text.indexOf('['); start >= 0; start = text.indexOf('[', start + 1)) {
    if (!startsTag(text.charCodeAt(start + 1))) continue;
    if (end < start) end = text.indexOf(']', start);
    if (end < 0) break;
    if (end - start > LONGEST_TAG) continue;
    const code = CODES.get(text.slice(start + 1, end));
    if (code === undefined) continue;
    result += text.slice(resumeAt, start);
    if (color) result += `\u001b[${code}m`;
    resumeAt = end + 1;
  }
  if (resumeAt === 0) return text;
  return result + text.slice(resumeAt) + (color ? '\u001b[0m' : '');
}

/** Returns true for the UTF-16 units that the name of a tag can begin with. */
function startsTag(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || unit === 0x5f;
}

/** Formats a text as a link (OSC 8) if there is a target. */
export function linkText(text: string, target: string | undefined): string {
  if (target === undefined) return text;
  return `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** A line across the terminal, with an empty line before it; only a line break when there is no width. */
export function horizontalRule(style: TextStyle): string {
  if (style.width <= 1) return '\n';
  return colorize(`[dark_gray]\n${'─'.repeat(style.width - 1)}`, style.color);
}
